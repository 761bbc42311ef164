// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/dist/communicator.h"
#include "core/protocol/exchange_log.h"

namespace roadtune::engine {

// Writes down what ranks say to one another, so that it is known in which exchange one hung or died. A transfer counts
// as finished when it was waited for and is over: between GPUs that is a while later.
std::unique_ptr<Communicator> recorded(std::unique_ptr<Communicator> ranks, std::shared_ptr<protocol::ExchangeLog> log);

}  // namespace roadtune::engine
