// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/image/image.h"

#include <QImage>

namespace roadtune::widgets {

// Takes the pixels over without copying them.
QImage toQImage(data::Image&& image);

}  // namespace roadtune::widgets
