// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <filesystem>

namespace roadtune::widgets {

// What people call the data of an index: its folder's name; one that says nothing ("index") gives way to its parent's.
QString dataName(const std::filesystem::path& folder);

}  // namespace roadtune::widgets
