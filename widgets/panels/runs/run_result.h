// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roadtune::widgets {

// What can be made of a run: a page to share, its adapters folded into their model, predictions of a checkpoint.
enum class RunResult { Report, Merge, Predict };

}  // namespace roadtune::widgets
