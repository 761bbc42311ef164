// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::remote {

// A library that a program or another library needs, itself or through others, and where the loader finds it.
struct LinkedLibrary {
  std::string name;            // "libfmt.so.9"
  std::filesystem::path path;  // without "..", links as they are; empty where it is not found
};

// As the loader of this machine tells it; nothing of the file runs.
Result<std::vector<LinkedLibrary>> linkedLibraries(const std::filesystem::path& file);

}  // namespace roadtune::remote
