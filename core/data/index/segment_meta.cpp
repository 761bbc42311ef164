// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/segment_meta.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace roadtune::data {

namespace {

using nlohmann::json;

constexpr std::string_view kBytesFollow = "\xef\xbf\xbd";

json toJson(const SourceFile& source) {
  return {{"path", writtenPath(source.path)},
          {"near", writtenPath(source.nearby)},
          {"size", source.size},
          {"modified", source.modified},
          {"fingerprint", source.fingerprint}};
}

SourceFile sourceFrom(const json& value) {
  SourceFile source;
  source.path = pathFrom(value.at("path").get<std::string>());
  source.nearby = pathFrom(value.at("near").get<std::string>());
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

std::string writtenPath(const std::filesystem::path& path) {
  const std::string text = path.string();
  if (isValidUtf8(text) && !text.starts_with(kBytesFollow)) return text;
  std::string written(kBytesFollow);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    written += byte > 0x20 && byte < 0x7f && c != '%' ? std::string(1, c) : fmt::format("%{:02x}", byte);
  }
  return written;
}

std::filesystem::path pathFrom(const std::string& written) {
  if (!written.starts_with(kBytesFollow)) return written;
  std::string text;
  for (std::size_t i = kBytesFollow.size(); i < written.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = written.data() + i + 1;
    if (written[i] != '%' || i + 2 >= written.size() ||
        std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) {
      text += written[i];
      continue;
    }
    text += static_cast<char>(byte);
    i += 2;
  }
  return text;
}

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
                {"base", writtenPath(info.base)},
                {"nearBase", writtenPath(info.nearbyBase)},
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
    meta.info.base = pathFrom(value.at("base").get<std::string>());
    meta.info.nearbyBase = pathFrom(value.at("nearBase").get<std::string>());
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
