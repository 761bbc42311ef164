// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QString>
#include <QStringList>

#include <memory>

namespace roadtune::studio {

// The index that has the samples, of those that the run learnt from; null: it learnt from files, or they are gone.
// Reads files: not for the UI thread.
std::shared_ptr<const data::Index> indexOfRun(const QString& run, const QStringList& samples);

// What it learnt from, as its configuration names it.
QString dataPlacesOf(const QString& run);

}  // namespace roadtune::studio
