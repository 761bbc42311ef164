// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/pack.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/data/export/export_writer.h"
#include "core/data/export/pack_index.h"
#include "core/data/export/pack_shards.h"
#include "core/data/export/tar_file.h"
#include "core/data/index/waymo_license.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <optional>
#include <thread>

namespace roadtune::data {

namespace {

// One call of packImages from start to end.
class Packer {
 public:
  Packer(const Index& index, std::vector<ImageId> images, const PackRequest& request, ProgressSink& progress)
      : m_index(index), m_images(std::move(images)), m_request(request), m_progress(progress) {}

  Result<PackOutcome> run() {
    for (const ImageId image : m_images) m_outcome.waymo |= segmentOf(image).info().waymo;
    ROADTUNE_CHECK(makeFolders(m_request.out / "shards"));
    if (m_request.store) ROADTUNE_CHECK(m_request.store->takeUp());
    ROADTUNE_CHECK(takeUp());
    while (m_places.size() < m_images.size()) ROADTUNE_CHECK(writeShard());
    ROADTUNE_CHECK(writePackIndex(m_index, m_images, m_places, m_state.shards, m_request.out));
    if (m_outcome.waymo) ROADTUNE_CHECK(writeFileAtomically(m_request.out / "ATTRIBUTION", waymoAttribution()));
    m_state.complete = true;
    ROADTUNE_CHECK(writePackState(m_request, m_state, m_outcome.waymo));
    if (m_request.store) ROADTUNE_CHECK(handOverIndex());
    for (const PackPlace& place : m_places) ++(place.length > 0 ? m_outcome.images : m_outcome.unreadable);
    for (const PackShard& shard : m_state.shards) m_outcome.bytes += shard.bytes;
    m_outcome.shards = m_state.shards.size();
    return m_outcome;
  }

 private:
  const Segment& segmentOf(ImageId image) const { return m_index.segment(m_index.locate(image).first); }

  std::string key() const {
    std::uint64_t hash = hash64(fmt::format("{} {} {} {}", m_request.size, static_cast<int>(m_request.pictures),
                                            m_request.pictures == PackRequest::Pictures::Jpeg ? m_request.quality : 0,
                                            m_request.shardBytes));
    for (std::size_t s = 0; s < m_index.segmentCount(); ++s)
      hash = hash64(m_index.segment(s).file().stem().string(), hash);
    for (const ImageId image : m_images) hash = mix64(hash ^ image);
    return fmt::format("{:016x}", hash);
  }

  // Takes over the complete shards of an earlier call.
  Status takeUp() {
    ROADTUNE_TRY(PackState state, readPackState(m_request.out));
    m_state.key = key();
    if (!state.key.empty() && state.key != m_state.key)
      return badInput("holds a pack of other images or settings", m_request.out.string(),
                      "choose another --out, or remove this folder");
    for (PackShard& shard : state.shards) {
      const std::size_t number = m_state.shards.size();
      ROADTUNE_TRY(const bool whole, isWhole(shard));
      if (!whole) break;
      const std::vector<PackPlace> places = readPlaces(m_request.out, number, shard.images);
      if (places.size() != shard.images || m_places.size() + places.size() > m_images.size()) break;
      m_places.insert(m_places.end(), places.begin(), places.end());
      m_state.shards.push_back(std::move(shard));
      ++m_outcome.keptShards;
    }
    return {};
  }

  Result<bool> isWhole(PackShard& shard) const {
    if (m_request.store) {
      if (shard.described.path.empty()) return false;
      return m_request.store->holds(shard.file, shard.bytes);
    }
    std::error_code code;
    if (fs::file_size(m_request.out / shard.file, code) != shard.bytes || code) return false;
    return describeShard(m_request.out, shard).ok();
  }

  Status writeShard() {
    const std::size_t number = m_state.shards.size(), first = m_places.size();
    PackShard shard{.file = shardName(number, "tar")};
    ROADTUNE_TRY(TarFile tar, TarFile::create(m_request.out / shard.file));
    std::vector<PackPlace> places;
    while (first + places.size() < m_images.size() && tar.size() < m_request.shardBytes) {
      const std::size_t i = first + places.size();
      if (m_ready.empty()) prepareFrom(i);
      if (!m_progress.report({"packing", i + 1, m_images.size(), "images"})) return cancelled();
      ROADTUNE_CHECK(put(i, static_cast<std::uint32_t>(number), m_ready.front(), tar, places));
      m_ready.pop_front();
    }
    ROADTUNE_CHECK(tar.finish());
    shard.images = places.size();
    shard.bytes = tar.size();
    ROADTUNE_CHECK(describeShard(m_request.out, shard));
    ROADTUNE_CHECK(writePlaces(m_request.out, number, places));
    if (m_request.store) ROADTUNE_CHECK(handOver(number, shard));
    m_places.insert(m_places.end(), places.begin(), places.end());
    m_state.shards.push_back(std::move(shard));
    ROADTUNE_CHECK(writePackState(m_request, m_state, m_outcome.waymo));
    return m_request.store ? m_request.store->put("pack.json") : Status();
  }

  // A shard leaves this machine before pack.json says that it is there.
  Status handOver(std::size_t number, const PackShard& shard) const {
    ROADTUNE_CHECK(m_request.store->put(shard.file));
    ROADTUNE_CHECK(m_request.store->put(shardName(number, "places")));
    std::error_code ignored;
    fs::remove(m_request.out / shard.file, ignored);
    return {};
  }

  // The catalogue comes last: without it nobody takes the pack for one.
  Status handOverIndex() const {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(m_request.out / "segments"))
      if (entry.is_regular_file()) files.push_back("segments/" + entry.path().filename().string());
    std::sort(files.begin(), files.end());
    for (const char* name : {"problems.jsonl", "ATTRIBUTION", "pack.json", "catalogue.json"})
      if (fs::exists(m_request.out / name)) files.emplace_back(name);
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (!m_progress.report({"finishing", i, files.size(), "files"})) return cancelled();
      ROADTUNE_CHECK(m_request.store->put(files[i]));
    }
    m_progress.report({"finishing", files.size(), files.size(), "files"});
    return {};
  }

  struct Prepared {
    std::string picture, row;
    std::optional<Error> error;
  };

  // Makes the next pictures, in parallel.
  void prepareFrom(std::size_t first) {
    const unsigned jobs =
        m_request.jobs > 0 ? static_cast<unsigned>(m_request.jobs) : std::max(1u, std::thread::hardware_concurrency());
    m_ready.resize(std::min<std::size_t>(16 * jobs, m_images.size() - first));
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < m_ready.size(); i = next++) prepare(first + i, m_ready[i]);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < jobs; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
  }

  void prepare(std::size_t i, Prepared& out) const {
    const Result<std::string> bytes = m_index.imageBytes(m_images[i]);
    Result<std::string> picture = bytes.ok() ? packPicture(bytes.value(), m_request) : bytes.error();
    if (!picture.ok()) {
      out.error = picture.error();
      return;
    }
    out.picture = std::move(picture).value();
    ExportImage image;
    image.info = m_index.image(m_images[i]);
    image.segment = &m_index.segment(image.info.segment);
    image.boxes = m_index.boxes(m_images[i]);
    image.reference = m_index.imageLabel(m_images[i]);
    out.row = imageRow(m_index, image);
  }

  Status put(std::size_t i, std::uint32_t shard, const Prepared& prepared, TarFile& tar,
             std::vector<PackPlace>& places) const {
    PackPlace place{.shard = shard};
    if (prepared.error) {
      if (m_request.onProblem)
        m_request.onProblem({.file = m_index.imageLabel(m_images[i]),
                             .segment = segmentOf(m_images[i]).info().name,
                             .what = prepared.error->text(),
                             .done = "the pack has its labels only"});
    } else {
      const std::string name = fmt::format("{:09d}", i);
      ROADTUNE_TRY(const std::uint64_t row, tar.add(name + ".json", prepared.row));
      static_cast<void>(row);
      const char* extension = m_request.pictures == PackRequest::Pictures::Jpeg ? ".jpg" : ".ppm";
      ROADTUNE_TRY(place.offset, tar.add(name + extension, prepared.picture));
      place.length = static_cast<std::uint32_t>(prepared.picture.size());
      place.crc = crc32c({reinterpret_cast<const std::uint8_t*>(prepared.picture.data()), prepared.picture.size()});
    }
    places.push_back(place);
    return {};
  }

  const Index& m_index;
  std::vector<ImageId> m_images;
  const PackRequest& m_request;
  ProgressSink& m_progress;
  PackState m_state;
  std::vector<PackPlace> m_places;
  std::deque<Prepared> m_ready;  // pictures behind those of m_places
  PackOutcome m_outcome;
};

}  // namespace

Result<PackOutcome> packImages(const Index& index, std::vector<ImageId> images, const PackRequest& request,
                               ProgressSink& progress) {
  constexpr int kLargestSide = 4096;
  if (request.size < 1 || request.size > kLargestSide)
    return badInput("the pictures cannot be of that size", "--model-size");
  if (images.empty())
    return badInput("there is nothing to pack", index.folder().string(), "no image matches the query");
  std::error_code code;
  if (fs::equivalent(index.folder(), request.out, code))
    return badInput("a pack cannot be written into the index it is made from", request.out.string());
  if (Index::looksLikeIndex(request.out) && !looksLikePack(request.out))
    return badInput("holds an index", request.out.string(), "choose another --out");
  std::sort(images.begin(), images.end());
  return Packer(index, std::move(images), request, progress).run();
}

}  // namespace roadtune::data
