// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/loader_list.h"

#include "core/base/subprocess.h"
#include "core/base/text.h"

namespace roadtune::remote {

// Lines of ldd: "\tlibfmt.so.9 => /usr/lib/libfmt.so.9 (0x...)".
Result<std::vector<LinkedLibrary>> linkedLibraries(const std::filesystem::path& file) {
  ROADTUNE_TRY(const CommandOutput listed, runCommand({.command = {"ldd", file.string()}}, 60));
  if (!listed.status.ok()) return failed("ldd cannot list its libraries", file.string());
  std::vector<LinkedLibrary> libraries;
  for (const auto& line : split(listed.out, '\n')) {
    const auto arrow = line.find(" => ");
    if (arrow == std::string::npos) continue;
    LinkedLibrary one{std::string(trim(line.substr(0, arrow))), {}};
    const std::string found = line.substr(arrow + 4, line.find(" (", arrow) - arrow - 4);
    if (found != "not found") one.path = std::filesystem::path(found).lexically_normal();
    libraries.push_back(std::move(one));
  }
  return libraries;
}

}  // namespace roadtune::remote
