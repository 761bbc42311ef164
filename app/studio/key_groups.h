// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/frame/key_sheet.h"

namespace roadtune::studio {

// What the sheet of keys shows.
QVector<widgets::KeySheet::Group> keyGroups();

}  // namespace roadtune::studio
