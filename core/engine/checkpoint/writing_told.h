// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>

namespace roadtune::engine {

// How far a long piece of writing is: tensors, or files. May be empty.
using WritingTold = std::function<void(std::int64_t done, std::int64_t total)>;

}  // namespace roadtune::engine
