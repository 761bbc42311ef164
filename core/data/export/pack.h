// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/index/index.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace roadtune::data {

// Pictures made ready for training once: few large files that are read from front to back, and an index of them.
//   PACK/pack.json            what it is, and which shards are complete
//   PACK/shards/00000.tar     for each picture NUMBER.jpg (or .ppm) and NUMBER.json, the line of a jsonl export
//   PACK/shards/00000.places  where the pictures of that shard lie, with their CRC
//   PACK/catalogue.json ...   an index like any other, whose pictures lie in the shards (core/data/index/FORMAT.md)
// So a pack is named wherever an index is: it can be trained on, searched and packed again.

// Where the files of a pack go that is not to stay in PackRequest::out: that folder is then a workshop, which holds one
// shard at a time.
class PackStore {
 public:
  virtual ~PackStore() = default;
  // Brings pack.json and the places of complete shards, as an interrupted call left them, into the workshop.
  virtual Status takeUp() = 0;
  virtual Result<bool> holds(const std::string& file, std::uint64_t bytes) = 0;
  // Hands a finished file of the workshop over ("shards/00000.tar").
  virtual Status put(const std::string& file) = 0;
};

struct PackRequest {
  enum class Pictures { Jpeg, Raw };  // Raw: 8-bit RGB, exactly what the trainer would have made
  std::filesystem::path out;
  int size = 448;  // the pictures become squares of so many pixels, as the model's processor makes them
  Pictures pictures = Pictures::Jpeg;
  int quality = 95;
  std::uint64_t shardBytes = 1ull << 30;
  int jobs = 0;  // 0: one per processor
  std::function<void(const Problem&)> onProblem = {};
  PackStore* store = nullptr;  // outlives the call; null: the pack stays in `out`
};

struct PackOutcome {
  std::size_t images = 0, unreadable = 0, shards = 0;
  std::size_t keptShards = 0;  // complete from an earlier, interrupted call
  std::uint64_t bytes = 0;     // of all shards
  bool waymo = false;
};

bool looksLikePack(const std::filesystem::path& folder);

// Packs the images in index order. Interrupted (cancelled()), complete shards stay, and the same call goes on behind
// them. A folder that holds a pack of other images or settings is refused.
Result<PackOutcome> packImages(const Index& index, std::vector<ImageId> images, const PackRequest& request,
                               ProgressSink& progress);

}  // namespace roadtune::data
