// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/same_machine.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <map>

namespace roadtune::remote {

// Copies of one disk have one machine-id, and often one host key; the number of a start of the kernel is never copied.
std::string machineMark(Session& session) {
  const auto told = session.output(
      "cat /proc/sys/kernel/random/boot_id && readlink /proc/self/ns/net && readlink /proc/self/ns/pid && echo "
      "\"$HOME\"");
  return told.ok() ? std::string(trim(told.value())) : "";
}

std::optional<std::pair<std::string, std::string>> namedTwice(
    const std::vector<std::pair<std::string, std::string>>& marksByName) {
  std::map<std::string, std::string> names;
  for (const auto& [name, mark] : marksByName) {
    if (mark.empty()) continue;
    const auto [known, isNew] = names.try_emplace(mark, name);
    if (!isNew) return std::pair(known->second, name);
  }
  return {};
}

Error sameMachine(const std::string& one, const std::string& other) {
  return badInput(fmt::format("{} and {} are the same machine", one, other), "--hosts",
                  "name each machine once; --nproc-per-node for ranks");
}

}  // namespace roadtune::remote
