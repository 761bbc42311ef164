// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace roadtune::widgets {

// A line icon of resources/icons, drawn in the palette's colours at the size and scale it is asked for.
// Text colour by default, secondary when `quiet`; accent when on (checked); disabled colour when disabled.
QIcon icon(const QString& name, bool quiet = false);

// The same drawing in one fixed colour.
QPixmap iconPixmap(const QString& name, int size, const QColor& colour, qreal scale);

}  // namespace roadtune::widgets
