// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/entries.h"
#include "core/config/rules.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

// Puts the values of a file into the draft. Lines whose comment is "default" or "implied" (resolved dumps have them)
// count as not given, unless they hold something else than the default.
void readFile(const EntryList& list, std::string_view text, const std::string& where,
              const std::filesystem::path& folder, Draft& draft, std::vector<Problem>& problems);

// Puts "key=value" into the draft; also "lora.r=16" and "modules.vision_tower=frozen". An empty value is the default.
// Relative paths count from `folder`.
void readOverride(const std::string& assignment, const std::filesystem::path& folder, Draft& draft,
                  std::vector<Problem>& problems);

}  // namespace roadtune::config
