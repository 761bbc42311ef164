// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/export/pack.h"
#include "core/data/index/segment_info.h"

#include <string>
#include <vector>

namespace roadtune::data {

// Where a picture lies in its shard; length 0: it could not be read.
struct PackPlace {
  std::uint32_t shard = 0, length = 0, crc = 0;
  std::uint64_t offset = 0;
};

struct PackShard {
  std::string file;  // "shards/00000.tar"
  std::size_t images = 0;
  std::uint64_t bytes = 0;
  SourceFile described = {};  // as the index names it; without a path: packed by an earlier version
};

// pack.json. `key` tells packs of other images or settings apart.
struct PackState {
  std::string key;
  std::vector<PackShard> shards;
  bool complete = false;
};

// None when there is no pack yet.
Result<PackState> readPackState(const std::filesystem::path& folder);
Status writePackState(const PackRequest& request, const PackState& state, bool waymo);

std::vector<PackPlace> readPlaces(const std::filesystem::path& folder, std::size_t shard, std::size_t expected);
Status writePlaces(const std::filesystem::path& folder, std::size_t shard, const std::vector<PackPlace>& places);

std::string shardName(std::size_t shard, const char* extension);  // "shards/00000.tar"

// Fills in `described` from the file, which is in `folder`.
Status describeShard(const std::filesystem::path& folder, PackShard& shard);

// Turns an encoded picture into one of the pack.
Result<std::string> packPicture(std::string_view encoded, const PackRequest& request);

}  // namespace roadtune::data
