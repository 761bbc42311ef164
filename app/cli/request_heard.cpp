// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/request_heard.h"

#include "core/base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace roadtune::cli {

std::string requestId(protocol::ControlWord word) {
  return fmt::format("{}-{}-{:.6f}", protocol::name(word), ::getpid(), wallSeconds());
}

bool hearsRequest(const protocol::FlatEvent& event, const std::string& id) {
  if (event.kind != "control") return false;
  const auto decoded = protocol::decode(event.line);
  if (!decoded.ok()) return false;
  const auto ids = decoded.value().body.find("ids");
  return ids != decoded.value().body.end() && ids->is_array() && std::find(ids->begin(), ids->end(), id) != ids->end();
}

}  // namespace roadtune::cli
