// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>

namespace roadtune::engine {

// Told by the network when it is about to use a unit of weights, so that they can be brought in and sent away again.
// Unit 0 is everything outside the blocks and is used during the whole pass; then come the blocks of the vision tower
// and those of the text model, in the order of the forward pass. Throws as torch does.
class BlockGate {
 public:
  virtual ~BlockGate() = default;
  virtual void begin() = 0;                  // a forward pass starts; an earlier one is over
  virtual void enter(std::size_t unit) = 0;  // also from within the backward pass
  virtual void leave(std::size_t unit) = 0;  // not needed any more before the backward pass
};

}  // namespace roadtune::engine
