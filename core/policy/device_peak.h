// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string_view>

namespace roadtune::policy {

// What a GPU of this name multiplies per second at most, in floating point operations, without sparsity; nothing for
// devices that are not listed. Without bf16 the TF32 rate counts.
std::optional<double> peakFlops(std::string_view device, bool bf16);

}  // namespace roadtune::policy
