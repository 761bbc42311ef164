// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/dataset_info.h"

#include "core/base/files.h"

#include <nlohmann/json.hpp>

namespace roadtune::config {

std::optional<fs::path> fileOfDataset(const fs::path& settings, const std::string& folder, const std::string& name) {
  constexpr int kFoldersAbove = 4;
  std::error_code code;
  fs::path base = fs::absolute(settings, code).parent_path();
  for (int i = 0; i <= kFoldersAbove; ++i, base = base.parent_path()) {
    const fs::path data = (base / folder).lexically_normal();
    const auto text = readFile(data / "dataset_info.json");
    if (!text.ok()) continue;
    const auto info = nlohmann::json::parse(text.value(), nullptr, false);
    const auto set = info.is_object() ? info.find(name) : info.end();
    if (!info.is_object() || set == info.end() || !set->is_object()) return std::nullopt;
    const auto file = set->find("file_name");
    if (file == set->end() || !file->is_string()) return std::nullopt;  // of a hub
    return (data / file->get<std::string>()).lexically_normal();
  }
  return std::nullopt;
}

}  // namespace roadtune::config
