// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/protocol/flat_event.h"

#include <cstddef>
#include <functional>

namespace roadtune::runs {

// Shows the events at the front and at the end of a file, in order, without reading what lies between. Events of a
// short file are shown once. Lines that are no events, and events of later versions, are passed over.
void glimpse(const fs::path& file, std::size_t headBytes, std::size_t tailBytes,
             const std::function<void(const protocol::FlatEvent&)>& visit);

}  // namespace roadtune::runs
