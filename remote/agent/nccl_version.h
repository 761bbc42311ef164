// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>

#include <filesystem>

namespace roadtune::remote {

// Which NCCL a torch whose libraries lie in `torch` would open: {"version": "2.28.9", "library": "/..."}, or with a
// null version and "error". Opens the library and asks it, which needs no card; a broken one may end the process, so
// this belongs into a process of its own (roadtune-agent --nccl).
nlohmann::json ncclFacts(const std::filesystem::path& torch);

}  // namespace roadtune::remote
