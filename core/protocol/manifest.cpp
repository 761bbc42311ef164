// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/manifest.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/protocol/event.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::protocol {

namespace {

constexpr int kManifestFormat = 1;
constexpr const char* kKnownKeys[] = {"format",         "run_id",       "name",    "created",     "roadtune_version",
                                      "model",          "method",       "command", "config_hash", "world_size",
                                      "master_address", "master_port",  "nodes",   "data_hashes", "weight_hashes",
                                      "attributions",   "resumed_from", "attempt", "earlier"};

nlohmann::json nodeToJson(const ManifestNode& node) {
  return {{"node", node.node},
          {"host", node.host},
          {"address", node.address},
          {"folder", node.folder},
          {"program", node.program},
          {"processes", node.processes},
          {"agent_socket", node.agentSocket},
          {"agent_pid", node.agentPid},
          {"agent_start", node.agentStart}};
}

ManifestNode nodeFromJson(const nlohmann::json& json) {
  ManifestNode node;
  node.node = static_cast<int>(integerOr(json, "node", 0));
  node.host = textOr(json, "host");
  node.address = textOr(json, "address");
  node.folder = textOr(json, "folder");
  node.program = textOr(json, "program");
  node.processes = static_cast<int>(integerOr(json, "processes", 1));
  node.agentSocket = textOr(json, "agent_socket");
  node.agentPid = integerOr(json, "agent_pid", 0);
  node.agentStart = static_cast<std::uint64_t>(integerOr(json, "agent_start", 0));
  return node;
}

std::vector<EarlierPlace> placesIn(const nlohmann::json& json, const char* key) {
  std::vector<EarlierPlace> places;
  if (json.contains(key) && json[key].is_array())
    for (const auto& one : json[key])
      if (one.is_object()) places.push_back({textOr(one, "address"), textOr(one, "folder"), integerOr(one, "step", 0)});
  return places;
}

std::vector<std::string> textsIn(const nlohmann::json& json, const char* key) {
  std::vector<std::string> texts;
  if (json.contains(key) && json[key].is_array())
    for (const auto& one : json[key])
      if (one.is_string()) texts.push_back(one.get<std::string>());
  return texts;
}

std::map<std::string, std::string> hashesIn(const nlohmann::json& json, const char* key) {
  std::map<std::string, std::string> hashes;
  if (json.contains(key) && json[key].is_object())
    for (const auto& [path, hash] : json[key].items())
      if (hash.is_string()) hashes[path] = hash.get<std::string>();
  return hashes;
}

}  // namespace

nlohmann::json toJson(const Manifest& manifest) {
  nlohmann::json json = manifest.other;
  json["format"] = kManifestFormat;
  json["run_id"] = manifest.runId;
  json["name"] = manifest.name;
  json["created"] = manifest.created;
  json["roadtune_version"] = manifest.roadtuneVersion;
  json["model"] = manifest.model;
  json["method"] = manifest.method;
  json["command"] = manifest.command;
  json["config_hash"] = manifest.configHash;
  json["world_size"] = manifest.worldSize;
  json["master_address"] = manifest.masterAddress;
  json["master_port"] = manifest.masterPort;
  json["nodes"] = nlohmann::json::array();
  for (const auto& node : manifest.nodes) json["nodes"].push_back(nodeToJson(node));
  if (!manifest.earlier.empty()) json["earlier"] = nlohmann::json::array();
  for (const auto& place : manifest.earlier)
    json["earlier"].push_back({{"address", place.address}, {"folder", place.folder}, {"step", place.step}});
  json["data_hashes"] = manifest.dataHashes;
  json["weight_hashes"] = manifest.weightHashes;
  json["attributions"] = manifest.attributions;
  json["resumed_from"] = manifest.resumedFrom;
  json["attempt"] = manifest.attempt;
  return json;
}

Result<Manifest> manifestFromJson(const nlohmann::json& json, const std::string& where) {
  if (!json.is_object()) return badInput("is no manifest of a run", where);
  if (integerOr(json, "format", 1) > kManifestFormat)
    return failed("is a manifest of a later format", where, "open the run with a newer version of the program");
  Manifest manifest;
  manifest.runId = textOr(json, "run_id");
  manifest.name = textOr(json, "name");
  manifest.created = numberOr(json, "created", 0);
  manifest.roadtuneVersion = textOr(json, "roadtune_version");
  manifest.model = textOr(json, "model");
  manifest.method = textOr(json, "method");
  manifest.command = textsIn(json, "command");
  manifest.configHash = textOr(json, "config_hash");
  manifest.worldSize = static_cast<int>(integerOr(json, "world_size", 1));
  manifest.masterAddress = textOr(json, "master_address");
  manifest.masterPort = static_cast<int>(integerOr(json, "master_port", 0));
  if (json.contains("nodes") && json["nodes"].is_array())
    for (const auto& node : json["nodes"]) manifest.nodes.push_back(nodeFromJson(node));
  manifest.earlier = placesIn(json, "earlier");
  manifest.dataHashes = hashesIn(json, "data_hashes");
  manifest.weightHashes = hashesIn(json, "weight_hashes");
  manifest.attributions = textsIn(json, "attributions");
  manifest.resumedFrom = textOr(json, "resumed_from");
  manifest.attempt = static_cast<int>(integerOr(json, "attempt", 1));
  manifest.other = json;
  for (const char* key : kKnownKeys) manifest.other.erase(key);
  return manifest;
}

bool runsElsewhere(const Manifest& manifest) {
  return std::any_of(manifest.nodes.begin(), manifest.nodes.end(),
                     [](const auto& node) { return !node.address.empty(); });
}

Result<Manifest> readManifest(const fs::path& path) {
  ROADTUNE_TRY(const std::string text, readFile(path));
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return badInput("is not JSON", path.string());
  return manifestFromJson(json, path.string());
}

Status writeManifest(const fs::path& path, const Manifest& manifest) {
  return writeFileAtomically(path, jsonText(toJson(manifest)) + "\n");
}

std::string makeRunId(double wallSeconds, std::uint64_t salt) {
  return fmt::format("{}-{:04x}", fileTime(wallSeconds), mix64(salt) & 0xffff);
}

}  // namespace roadtune::protocol
