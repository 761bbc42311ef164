// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

namespace roadtune::studio {

// The folder that is proposed for the index of these sources: named after the first, in the studio's own folder. An
// index of the same sources is gone on with; a name that something else has gets -2, -3 ...
QString importTarget(const QStringList& sources);

// How many images an import into this folder adds to. Opens the index: not for the UI thread.
struct ThereAlready {
  bool index = false;
  std::size_t images = 0;
};
ThereAlready thereAlready(const QString& folder);

}  // namespace roadtune::studio
