// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/fleet.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <utility>

namespace roadtune::config {

namespace {

std::string placeOf(const YAML::Node& node, const std::string& file) {
  return fmt::format("{}:{}", file, node.Mark().line + 1);
}

// A key with a slip in it means another machine, and YAML itself would drop what stands twice.
Status checkKeys(const YAML::Node& map, const std::vector<std::string>& known, const std::string& file) {
  std::vector<std::string> seen;
  for (const auto& entry : map) {
    const YAML::Node& key = entry.first;
    const std::string name = key.IsScalar() ? key.Scalar() : "";
    if (std::find(known.begin(), known.end(), name) == known.end())
      return badInput("unknown key '" + name + "'", placeOf(key, file),
                      fmt::format("what may stand here: {}", join(known, ", ")));
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      return badInput(name + " stands here twice", placeOf(key, file), "keep one of them");
    seen.push_back(name);
  }
  return {};
}

Result<std::string> nameOf(const YAML::Node& entry, const std::string& file) {
  const Error unclear = badInput("is not a machine", placeOf(entry, file), "a name, or a map with host, user and port");
  if (entry.IsScalar() && !entry.Scalar().empty()) return entry.Scalar();
  if (!entry.IsMap()) return unclear;
  ROADTUNE_CHECK(checkKeys(entry, {"host", "user", "port"}, file));
  const auto host = entry["host"], user = entry["user"], port = entry["port"];
  if (!host || !host.IsScalar() || host.Scalar().empty() || (user && !user.IsScalar()) || (port && !port.IsScalar()))
    return unclear;
  return (user ? user.Scalar() + "@" : "") + host.Scalar() + (port ? ":" + port.Scalar() : "");
}

Result<std::vector<std::string>> namesIn(const YAML::Node& root, const std::string& file) {
  if (root.IsMap()) ROADTUNE_CHECK(checkKeys(root, {"hosts"}, file));
  const YAML::Node list = root.IsMap() ? root["hosts"] : root;
  if (!list || !list.IsSequence() || list.size() == 0)
    return badInput("lists no machines", !list || list.IsNull() ? file : placeOf(list, file),
                    "hosts: [alice@gpu1, gpu2]");
  std::vector<std::string> names;
  for (const auto& entry : list) {
    ROADTUNE_TRY(std::string name, nameOf(entry, file));
    if (std::find(names.begin(), names.end(), name) != names.end())
      return badInput("names " + name + " twice", placeOf(entry, file));
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

std::vector<std::string> otherMachines(std::vector<std::string> named) {
  if (named.size() == 1 && named.front() == kThisMachine) named.clear();
  return named;
}

Result<std::vector<std::string>> machinesOf(const RunConfig& config) {
  if (config.text("fleet").empty()) return otherMachines(config.list("hosts"));
  ROADTUNE_TRY(auto named, readFleet(config.text("fleet")));
  return otherMachines(std::move(named));
}

}  // namespace roadtune::config
