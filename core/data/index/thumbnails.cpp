// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/thumbnails.h"

#include "core/data/image/decode.h"
#include "core/data/image/encode.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/thumbnail_pack.h"

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

namespace roadtune::data {

namespace {

constexpr int kSmallWidth = 240, kLargeWidth = 480, kQuality = 75;

}  // namespace

struct Thumbnails::Parts {
  std::shared_ptr<const Index> index;
  std::mutex mutex;
  std::map<std::pair<std::uint32_t, ThumbnailSize>, std::shared_ptr<ThumbnailPack>> packs;

  static constexpr std::size_t kOpenPacks = 200;

  std::shared_ptr<ThumbnailPack> pack(std::uint32_t segment, ThumbnailSize size) {
    const std::lock_guard lock(mutex);
    if (packs.size() >= kOpenPacks && !packs.contains({segment, size})) packs.erase(packs.begin());
    auto& pack = packs[{segment, size}];
    if (!pack) {
      const IndexLayout layout{index->folder()};
      const std::string stem = index->segment(segment).file().stem().string();
      pack = std::make_shared<ThumbnailPack>(layout.thumbnailFolder() /
                                             (stem + (size == ThumbnailSize::Small ? ".240.pack" : ".480.pack")));
    }
    return pack;
  }

  Result<std::string> make(ImageId image, ThumbnailSize size) const {
    ROADTUNE_TRY(const std::string bytes, index->imageBytes(image));
    const int width = size == ThumbnailSize::Small ? kSmallWidth : kLargeWidth;
    Result<Image> small = decodeThumbnail(asBytes(bytes), width, width);
    if (!small.ok()) {
      Error error = small.error();
      if (error.where.empty()) error.where = index->imageLabel(image);
      return error;
    }
    return encodeJpeg(small.value(), kQuality);
  }
};

Thumbnails::Thumbnails(std::shared_ptr<const Index> index) : m_parts(std::make_unique<Parts>()) {
  m_parts->index = std::move(index);
}
Thumbnails::~Thumbnails() = default;

std::optional<std::string> Thumbnails::find(ImageId image, ThumbnailSize size) const {
  const auto [segment, row] = m_parts->index->locate(image);
  return m_parts->pack(segment, size)->find(row);
}

Result<std::string> Thumbnails::get(ImageId image, ThumbnailSize size) {
  if (std::optional<std::string> known = find(image, size)) return *std::move(known);
  ROADTUNE_TRY(std::string jpeg, m_parts->make(image, size));
  const auto [segment, row] = m_parts->index->locate(image);
  // A picture that cannot be kept (read-only or full disk) can still be shown.
  const Status kept = m_parts->pack(segment, size)->add(row, jpeg);
  static_cast<void>(kept.ok());
  return jpeg;
}

Status Thumbnails::makeAll(ThumbnailSize size, int jobs, ProgressSink& progress) {
  const std::size_t total = m_parts->index->imageCount();
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::optional<Error> error;
  const auto work = [&] {
    for (std::size_t i = next++; i < total && !stop; i = next++) {
      const auto image = static_cast<ImageId>(i);
      if (!find(image, size)) {
        const Result<std::string> jpeg = m_parts->make(image, size);  // a damaged picture has none
        const auto [segment, row] = m_parts->index->locate(image);
        const Status kept = jpeg.ok() ? m_parts->pack(segment, size)->add(row, jpeg.value()) : Status();
        if (!kept.ok()) {
          const std::lock_guard lock(mutex);
          error = kept.error();
          stop = true;
        }
      }
      if (!progress.report({"thumbnails", ++done, total, "images"})) stop = true;
    }
  };
  const auto wanted = jobs > 0 ? static_cast<unsigned>(jobs) : std::thread::hardware_concurrency();
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < wanted; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (error) return *error;
  if (stop) return cancelled();
  return {};
}

}  // namespace roadtune::data
