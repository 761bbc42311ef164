// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace roadtune::config {

// The file that LLaMA-Factory reads under the name of a data set: what dataset_info.json in its folder of data says.
// `folder` counts from where that program is started, mostly some folders above its settings.
std::optional<std::filesystem::path> fileOfDataset(const std::filesystem::path& settings, const std::string& folder,
                                                   const std::string& name);

}  // namespace roadtune::config
