// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/pack_shards.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/data/image/decode.h"
#include "core/data/image/encode.h"
#include "core/data/image/resize.h"
#include "core/data/index/column_file.h"
#include "core/data/index/source_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roadtune::data {

namespace {

using nlohmann::ordered_json;
constexpr const char* kPackFormat = "roadtune-pack";

fs::path statePath(const fs::path& folder) { return folder / "pack.json"; }

PackShard shardFrom(const ordered_json& value, const fs::path& folder) {
  PackShard shard{.file = value.at("file").get<std::string>(),
                  .images = value.at("images").get<std::size_t>(),
                  .bytes = value.at("bytes").get<std::uint64_t>()};
  if (!value.contains("fingerprint")) return shard;
  shard.described = {.path = fs::absolute(folder / shard.file).lexically_normal(),
                     .nearby = shard.file,
                     .size = shard.bytes,
                     .modified = value.at("modified").get<std::int64_t>(),
                     .fingerprint = value.at("fingerprint").get<std::uint64_t>()};
  return shard;
}

}  // namespace

std::string shardName(std::size_t shard, const char* extension) {
  return fmt::format("shards/{:05d}.{}", shard, extension);
}

bool looksLikePack(const fs::path& folder) {
  std::error_code code;
  return fs::is_regular_file(statePath(folder), code);
}

Result<PackState> readPackState(const fs::path& folder) {
  PackState state;
  if (!looksLikePack(folder)) return state;
  ROADTUNE_TRY(const std::string text, readFile(statePath(folder)));
  try {
    const ordered_json value = ordered_json::parse(text);
    if (value.at("format") != kPackFormat || value.at("version") != 1)
      return badInput("was written by another version of the program", statePath(folder).string(),
                      "choose another --out");
    state.key = value.at("key").get<std::string>();
    state.complete = value.at("complete").get<bool>();
    for (const ordered_json& shard : value.at("shards")) state.shards.push_back(shardFrom(shard, folder));
    return state;
  } catch (const nlohmann::json::exception& error) {
    return badInput(std::string("damaged: ") + error.what(), statePath(folder).string(), "choose another --out");
  }
}

Status writePackState(const PackRequest& request, const PackState& state, bool waymo) {
  ordered_json shards = ordered_json::array();
  std::size_t images = 0;
  for (const PackShard& shard : state.shards) {
    shards.push_back({{"file", shard.file},
                      {"images", shard.images},
                      {"bytes", shard.bytes},
                      {"modified", shard.described.modified},
                      {"fingerprint", shard.described.fingerprint}});
    images += shard.images;
  }
  ordered_json pictures = {{"size", request.size},
                           {"encoding", request.pictures == PackRequest::Pictures::Jpeg ? "jpeg" : "ppm"}};
  if (request.pictures == PackRequest::Pictures::Jpeg) pictures["quality"] = request.quality;
  const ordered_json value = {{"format", kPackFormat},        {"version", 1},         {"key", state.key},
                              {"complete", state.complete},   {"pictures", pictures}, {"images", images},
                              {"contains_waymo_data", waymo}, {"shards", shards}};
  return writeFileAtomically(statePath(request.out), jsonText(value) + "\n");
}

std::vector<PackPlace> readPlaces(const fs::path& folder, std::size_t shard, std::size_t expected) {
  const Result<ColumnFile> file = ColumnFile::open(folder / shardName(shard, "places"));
  if (!file.ok() || !file.value().verify("").ok()) return {};
  const auto offset = file.value().column<std::uint64_t>("offset");
  const auto length = file.value().column<std::uint32_t>("length"), crc = file.value().column<std::uint32_t>("crc");
  if (offset.size() != expected || length.size() != expected || crc.size() != expected) return {};
  std::vector<PackPlace> places;
  for (std::size_t i = 0; i < expected; ++i)
    places.push_back({static_cast<std::uint32_t>(shard), length[i], crc[i], offset[i]});
  return places;
}

Status writePlaces(const fs::path& folder, std::size_t shard, const std::vector<PackPlace>& places) {
  std::vector<std::uint64_t> offset;
  std::vector<std::uint32_t> length, crc;
  for (const PackPlace& place : places) {
    offset.push_back(place.offset);
    length.push_back(place.length);
    crc.push_back(place.crc);
  }
  ColumnFileWriter writer;
  writer.add("offset", offset);
  writer.add("length", length);
  writer.add("crc", crc);
  return writer.write(folder / shardName(shard, "places"));
}

Status describeShard(const fs::path& folder, PackShard& shard) {
  ROADTUNE_TRY(shard.described, describeSource(folder / shard.file, folder));
  return {};
}

Result<std::string> packPicture(std::string_view encoded, const PackRequest& request) {
  ROADTUNE_TRY(const Image image, decodeImage(asBytes(encoded)));
  ROADTUNE_TRY(const Image square, resizeBicubic(image, request.size, request.size));
  if (request.pictures == PackRequest::Pictures::Raw) return encodePpm(square);
  return encodeJpeg(square, request.quality, ChromaSampling::Full);
}

}  // namespace roadtune::data
