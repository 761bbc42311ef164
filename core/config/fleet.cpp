// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/fleet.h"

#include "core/base/files.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>

namespace roadtune::config {

namespace {

std::string nameOf(const YAML::Node& entry) {
  if (entry.IsScalar()) return entry.Scalar();
  if (!entry.IsMap() || !entry["host"] || !entry["host"].IsScalar()) return {};
  std::string name = entry["host"].Scalar();
  if (const auto user = entry["user"]; user && user.IsScalar()) name = user.Scalar() + "@" + name;
  if (const auto port = entry["port"]; port && port.IsScalar()) name += ":" + port.Scalar();
  return name;
}

Result<std::vector<std::string>> namesIn(const YAML::Node& root, const std::string& file) {
  const YAML::Node list = root.IsMap() ? root["hosts"] : root;
  if (!list || !list.IsSequence() || list.size() == 0)
    return badInput("lists no machines", file, "hosts: [alice@gpu1, gpu2]");
  std::vector<std::string> names;
  for (const auto& entry : list) {
    std::string name = nameOf(entry);
    const std::string where = fmt::format("{}:{}", file, entry.Mark().line + 1);
    if (name.empty()) return badInput("is not a machine", where, "a name, or a map with host, user and port");
    if (std::find(names.begin(), names.end(), name) != names.end()) return badInput("names " + name + " twice", where);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> readFleet(const std::filesystem::path& file) {
  ROADTUNE_TRY(const std::string text, readFile(file));
  try {
    const auto documents = YAML::LoadAll(text);
    if (documents.size() > 1)
      return badInput("holds several YAML documents", file.string(),
                      "one list of machines, without `---` between them");
    return namesIn(documents.empty() ? YAML::Node() : documents.front(), file.string());
  } catch (const YAML::Exception& error) {
    return badInput(error.msg, fmt::format("{}:{}", file.string(), error.mark.line + 1));
  }
}

}  // namespace roadtune::config
