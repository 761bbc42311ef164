// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/storage/location.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

struct StoredObject {
  std::string name;  // below the place that was listed; empty when that place is the object itself
  std::uint64_t bytes = 0;
  std::int64_t modified = 0;  // ns since 1970
};

// Told as bytes move, with how many moved since the last call; an answer of false ends the work with cancelled().
using BytesMoved = std::function<bool(std::uint64_t)>;

// One provider (S3 and what speaks like it, Google Cloud Storage, the file system), reached as its own tools reach it:
// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or ~/.aws/credentials and AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL_S3 or
// AWS_ENDPOINT_URL; Google's application default credentials, STORAGE_EMULATOR_HOST. ROADTUNE_STORAGE_ANONYMOUS=1 asks
// without credentials. An object appears under its name when it is whole. Safe from any number of threads.
class Storage {
 public:
  // For all places of the kind and server of `place`. Fails when there are no credentials.
  static Result<std::shared_ptr<Storage>> open(const Location& place);
  ~Storage();

  // Every object below a place, by name; or the object of that name. Empty when there is none.
  Result<std::vector<StoredObject>> list(const Location& place) const;
  Result<std::optional<StoredObject>> find(const Location& object) const;
  // What changes whenever the content does, as the server tells it; empty when it does not.
  Result<std::string> tag(const Location& object) const;
  // A piece, shorter at the end of the object.
  Result<std::string> read(const Location& object, std::uint64_t offset = 0, std::uint64_t length = UINT64_MAX) const;

  // Into `target`, by way of a file in `parts` (of the same file system) that an interrupted call left and the next
  // one continues. Answers the tag.
  Result<std::string> download(const Location& object, const std::filesystem::path& target,
                               const std::filesystem::path& parts, const BytesMoved& moved = {}) const;
  // In pieces, so that size does not matter; what is not finished leaves no object.
  Status upload(const std::filesystem::path& file, const Location& object, const BytesMoved& moved = {}) const;
  Status uploadText(std::string_view text, const Location& object) const;
  Status remove(const Location& object) const;  // no object is no error
  Status checkBucket(const Location& place) const;

  struct Impl;

 private:
  explicit Storage(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

// Stands in main() around everything that may touch storage: the S3 library must be shut down before the program ends.
class StorageShutdown {
 public:
  StorageShutdown() = default;
  ~StorageShutdown();
  StorageShutdown(const StorageShutdown&) = delete;
  StorageShutdown& operator=(const StorageShutdown&) = delete;
};

// The server that the environment names for a kind of place, "localhost:5000"; empty for the provider's own.
std::string customServer(Location::Kind kind);

}  // namespace roadtune::data
