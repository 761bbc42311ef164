// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/segment_meta.h"

#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

namespace roadtune::data {

namespace {

using nlohmann::json;

json toJson(const SourceFile& source) {
  return {{"path", source.path.string()},
          {"near", source.nearby.string()},
          {"size", source.size},
          {"modified", source.modified},
          {"fingerprint", source.fingerprint}};
}

SourceFile sourceFrom(const json& value) {
  SourceFile source;
  source.path = value.at("path").get<std::string>();
  source.nearby = value.at("near").get<std::string>();
  source.size = value.at("size").get<std::uint64_t>();
  source.modified = value.at("modified").get<std::int64_t>();
  source.fingerprint = value.at("fingerprint").get<std::uint64_t>();
  return source;
}

Error unreadable(const std::filesystem::path& file, const std::exception& error) {
  return badInput(std::string("damaged index file: ") + error.what(), file.string(),
                  "run `roadtune data index` again on the same sources");
}

}  // namespace

std::string formatSegmentMeta(const SegmentMeta& meta) {
  const SegmentInfo& info = meta.info;
  json value = {{"name", info.name},
                {"split", info.split},
                {"time", info.time},
                {"location", info.location},
                {"weather", info.weather},
                {"format", info.format},
                {"waymo", info.waymo},
                {"unit", meta.unit},
                {"classes", meta.classes},
                {"base", info.base.string()},
                {"nearBase", info.nearbyBase.string()},
                {"origin", meta.origin},
                {"quantum", meta.quantum}};
  for (const SourceFile& source : info.sources) value["sources"].push_back(toJson(source));
  return jsonLine(value);
}

Result<SegmentMeta> parseSegmentMeta(std::string_view text, const std::filesystem::path& file) {
  try {
    const json value = json::parse(text);
    SegmentMeta meta;
    meta.info.name = value.at("name").get<std::string>();
    meta.info.split = value.at("split").get<std::string>();
    meta.info.time = value.at("time").get<std::string>();
    meta.info.location = value.at("location").get<std::string>();
    meta.info.weather = value.at("weather").get<std::string>();
    meta.info.format = value.at("format").get<std::string>();
    meta.info.waymo = value.at("waymo").get<bool>();
    meta.info.base = value.at("base").get<std::string>();
    meta.info.nearbyBase = value.at("nearBase").get<std::string>();
    meta.unit = value.at("unit").get<std::string>();
    meta.classes = value.at("classes").get<std::vector<std::string>>();
    meta.origin = value.at("origin").get<double>();
    meta.quantum = value.at("quantum").get<double>();
    if (value.contains("sources"))
      for (const json& source : value["sources"]) meta.info.sources.push_back(sourceFrom(source));
    return meta;
  } catch (const json::exception& error) {
    return unreadable(file, error);
  }
}

std::string formatSourceFile(const SourceFile& source) { return jsonLine(toJson(source)); }

Result<SourceFile> parseSourceFile(std::string_view text, const std::filesystem::path& file) {
  try {
    return sourceFrom(json::parse(text));
  } catch (const json::exception& error) {
    return unreadable(file, error);
  }
}

}  // namespace roadtune::data
