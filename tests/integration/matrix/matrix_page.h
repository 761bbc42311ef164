// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>

namespace roadtune::testing {

// Puts a chapter ("## title" and what follows) into resources/docs/kill-matrix.md, in the place of the one of that
// title. Several tests write the page, each its own chapter.
Status writeMatrixChapter(const std::string& title, const std::string& text);

bool fullMatrixWanted();  // ROADTUNE_FULL_MATRIX=1

}  // namespace roadtune::testing
