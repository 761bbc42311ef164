// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/storage/storage.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace roadtune::data {

// Where fetched objects are kept when nobody says otherwise: roadtune/storage in the user's cache folder.
std::filesystem::path defaultStorageCache();

// Where an object, or the folder of a prefix, lies in a cache: CACHE/s3/bucket/key; other servers have a folder of
// their own.
std::filesystem::path placeInCache(const std::filesystem::path& cache, const Location& source);

// What is to be fetched, and how much of it is missing here.
struct FetchPlan {
  Location source;
  std::filesystem::path cache, place;  // `place` is what the source will be here: a file or a folder
  std::vector<StoredObject> objects;   // names below `base`
  Location base;                       // the source, or for one object its folder
  std::uint64_t bytes = 0, missingBytes = 0;
  std::size_t missingObjects = 0;
};

// Looks at the source without fetching. A prefix stands for everything below it, one object for itself and, when it
// is a file that names pictures (.jsonl, COCO .json), for those beside it; that file is then fetched already. Refuses
// empty sources and packs that are not finished.
Result<FetchPlan> planFetch(const Storage& storage, const Location& source, const std::filesystem::path& cache);

// Fetches what is missing or has changed, `jobs` objects at a time. What an interrupted call fetched is kept, whole
// objects and the beginning of others; what is no longer in the storage is removed from the cache.
Status fetch(const Storage& storage, const FetchPlan& plan, int jobs, ProgressSink& progress);

}  // namespace roadtune::data
