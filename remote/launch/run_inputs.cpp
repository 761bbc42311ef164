// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/run_inputs.h"

#include "core/base/counted.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/data/index/image_lookup.h"
#include "core/data/source/input_files.h"
#include "remote/agent/inventory.h"

#include <fmt/format.h>

#include <sys/stat.h>

namespace roadtune::remote {

using nlohmann::json;

namespace {

Result<InputGroup> groupOf(const std::string& root, const Result<std::vector<fs::path>>& found) {
  ROADTUNE_TRY(const std::vector<fs::path> files, found);
  InputGroup group{.root = root};
  for (const auto& file : files) {
    if (!isValidUtf8(file.native()))  // which the list of files for a machine cannot hold
      return badInput("not UTF-8 text", toValidUtf8(file.native()), "check the path");
    std::error_code code;
    const auto bytes = fs::file_size(file, code);
    if (code) return systemError(code.value(), "cannot read", file.string());
    group.files.push_back({file, file.string(), bytes});
  }
  return group;
}

// One of two places for a group on a machine, against what is here.
struct Judged {
  std::vector<std::size_t> wanted;
  std::size_t differing = 0;
};

Judged judge(const InputGroup& group, const json& place) {
  Judged judged;
  const json& told = place.at("files");
  for (std::size_t i = 0; i < group.files.size() && i < told.size(); ++i) {
    if (told[i] == true || (told[i].is_string() && told[i] == contentSample(group.files[i].file))) continue;
    judged.wanted.push_back(i);
    judged.differing += !told[i].is_null();
  }
  return judged;
}

void plan(HostInputs& inputs, const InputGroup& group, const Judged& judged, const std::string& before) {
  for (const std::size_t i : judged.wanted) {
    const FileToSend& file = group.files[i];
    inputs.copies.push_back({file.file, before + file.target, file.bytes});
    inputs.bytes += file.bytes;
  }
  inputs.replaced += judged.differing;
}

config::Value movedSources(const config::Value& sources, const std::map<std::string, std::string>& moved) {
  config::Value::List list;
  for (const auto& source : sources.list()) {
    config::Value::Map members = source.map();
    for (auto& [key, value] : members)
      if (key == "path" || key == "images")
        if (const auto to = moved.find(value.text()); to != moved.end()) value = to->second;
    list.emplace_back(std::move(members));
  }
  return list;
}

}  // namespace

Result<std::vector<InputGroup>> runInputs(const config::RunConfig& config) {
  std::vector<InputGroup> groups;
  std::error_code code;
  for (const std::string& folder :
       {config.text("model_name_or_path"), config.text("tokenizer_name_or_path"), config.startAdapter()}) {
    if (folder.empty()) continue;
    groups.push_back({folder});
    if (!fs::exists(folder, code)) continue;
    ROADTUNE_TRY(groups.back(), groupOf(folder, data::modelFiles(folder)));
  }
  const auto add = [&](const std::string& path, const std::string& query) -> Status {
    groups.push_back({path});
    if (!fs::exists(path, code)) return {};
    ROADTUNE_TRY(groups.back(), groupOf(path, data::inputFiles({.path = path, .query = query})));
    return {};
  };
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key)) {
      if (isUrl(source.path)) continue;
      ROADTUNE_CHECK(add(source.path, source.query));
      if (!source.images.empty()) ROADTUNE_CHECK(add(source.images, {}));
    }
  return groups;
}

std::string HostInputs::text() const {
  std::string words = copies.empty() ? "has everything"
                                     : counted(copies.size(), "file") + ", " + formatBytes(static_cast<double>(bytes));
  if (replaced > 0) words += fmt::format(", of which {} differ{} there", replaced, replaced == 1 ? "s" : "");
  if (!copies.empty()) words += fmt::format("; {} free there", formatBytes(static_cast<double>(space)));
  if (!fits()) words += ", which is too little";
  for (const auto& path : nowhere) words += fmt::format("; {} is neither there nor here", path);
  return words;
}

HostInputs judgeInputs(const std::string& host, const std::vector<InputGroup>& groups, const json& answer) {
  HostInputs inputs{.host = host};
  const std::string below = answer.at("below");
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const InputGroup& group = groups[i];
    const json &same = answer.at("groups").at(i).at("same"), &copied = answer.at("groups").at(i).at("below");
    const auto move = [&] { inputs.moved[group.root] = below + group.root; };
    if (!group.here()) {
      if (same.at("exists") == true) continue;
      if (copied.at("exists") == true)
        move();
      else
        inputs.nowhere.push_back(group.root);
      continue;
    }
    const Judged inPlace = judge(group, same), inCopy = judge(group, copied);
    const bool stays = inPlace.wanted.empty() || (same.at("writable") == true && !inCopy.wanted.empty());
    if (!stays) move();
    plan(inputs, group, stays ? inPlace : inCopy, stays ? "" : below);
    // The least of what is free at the places that files go to: rather asked for too much than filled up.
    const std::uint64_t free = (stays ? same : copied).at("free");
    if (!(stays ? inPlace : inCopy).wanted.empty()) inputs.space = inputs.space ? std::min(inputs.space, free) : free;
  }
  return inputs;
}

Status useMovedInputs(config::Document& document, const config::RunConfig& config,
                      const std::map<std::string, std::string>& moved) {
  if (moved.empty()) return {};
  for (const char* key : {"model_name_or_path", "tokenizer_name_or_path", "adapter_name_or_path"})
    if (const auto to = moved.find(config.text(key)); to != moved.end())
      ROADTUNE_CHECK(document.set(key, config::Value(to->second)));
  for (const char* key : {"train_data", "eval_data"})
    if (!config.sources(key).empty()) ROADTUNE_CHECK(document.set(key, movedSources(config.value(key), moved)));
  return {};
}

}  // namespace roadtune::remote
