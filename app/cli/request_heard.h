// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/control.h"
#include "core/protocol/event_reader.h"

#include <string>

namespace roadtune::cli {

// A name for a request that nothing else has, so that the run's answer to it can be told from answers to others.
std::string requestId(protocol::ControlWord word);

// Does rank 0 say with this event that it has heard the request?
bool hearsRequest(const protocol::FlatEvent& event, const std::string& id);

}  // namespace roadtune::cli
