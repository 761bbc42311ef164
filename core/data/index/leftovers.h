// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/catalogue.h"

#include <filesystem>
#include <vector>

namespace roadtune::data {

// Takes away what imports wrote and the catalogue no longer names. Files of others, which lie there by whatever chance,
// are left alone.
void removeLeftovers(const IndexLayout& layout, const Catalogue& catalogue);

// An error where a recording lies where an index in this folder keeps its own files, or in the folder itself, which
// nobody could import any more once it is an index. Looks at the paths as given and at where their links lead.
Status requireApart(const std::vector<std::filesystem::path>& sources, const std::filesystem::path& out);

}  // namespace roadtune::data
