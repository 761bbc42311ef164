// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdlib>
#include <string_view>

namespace roadtune::protocol {

// Set to 1 in the environment of ranks that are to prove a run instead of training: they write `proof` events.
inline constexpr const char* kDryRunVariable = "ROADTUNE_DRY_RUN";

inline bool dryRunAsked() {
  const char* value = std::getenv(kDryRunVariable);
  return value && std::string_view(value) == "1";
}

}  // namespace roadtune::protocol
