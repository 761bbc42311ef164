// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace roadtune::data {

// What an encoded picture is known by: its content, wherever it lies.
using ImageKey = std::array<std::uint8_t, 16>;
ImageKey imageKey(std::span<const std::uint8_t> encoded);

// Pictures as the model takes them (8-bit RGB, one square size), by the content they were made from. Serves any number
// of threads. A cache never fails a run: what cannot be kept or read back is simply not there.
class ImageCache {
 public:
  virtual ~ImageCache() = default;

  // Fills `pixels` (of the cache's size) when the picture is there.
  virtual bool find(const ImageKey& key, std::span<std::uint8_t> pixels) = 0;
  virtual void store(const ImageKey& key, std::span<const std::uint8_t> pixels) = 0;

  struct Counts {
    std::uint64_t hits = 0, misses = 0, stored = 0;
  };
  virtual Counts counts() const = 0;
};

// In this process, up to so many bytes; what comes later is not kept.
std::unique_ptr<ImageCache> makeMemoryCache(std::uint64_t limitBytes);

// In pack files of a folder that any number of processes and runs may share: each appends to packs of its own and reads
// those of all others, also what they add meanwhile. Records carry a checksum; a torn one is passed over. `variant`
// tells pictures that were made in different ways apart. Nothing is added once the folder holds `limitBytes`.
Result<std::unique_ptr<ImageCache>> openDiskCache(const fs::path& folder, const std::string& variant,
                                                  std::size_t pixelBytes, std::uint64_t limitBytes);

// $XDG_CACHE_HOME/roadtune/images, or ~/.cache/roadtune/images.
fs::path defaultImageCacheFolder();

}  // namespace roadtune::data
