// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/dist/communicator.h"

namespace roadtune::engine {

// Lets ranks whose tensors lie on a GPU speak through a communicator that knows the CPU alone: copies there and back.
std::unique_ptr<Communicator> staged(std::unique_ptr<Communicator> host);

}  // namespace roadtune::engine
