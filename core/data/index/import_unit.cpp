// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/import_unit.h"

#include "core/base/hash.h"
#include "core/data/index/segment_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fcntl.h>
#include <map>
#include <unistd.h>
#include <utility>

namespace roadtune::data {

namespace {

std::string fileNameOf(std::string_view segment, std::uint64_t hash) {
  constexpr std::size_t kLongest = 100;
  std::string name;
  for (const char c : segment.substr(0, kLongest))
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
  return fmt::format("{}-{:012x}", name, hash & 0xffffffffffffu);
}

// Small pictures are kept by row: a file of the same sources with other pictures needs another name.
std::uint64_t hashOfPictures(const Recording& recording, std::uint64_t hash) {
  for (const RecordedImage& image : recording.images) {
    const auto size = static_cast<std::uint64_t>(image.width) << 32 ^ static_cast<std::uint64_t>(image.height);
    hash = mix64(hash64(image.name, hash) ^ image.file ^ mix64(size));
  }
  return hash;
}

class UnitSink : public RecordingSink {
 public:
  UnitSink(const PlannedUnit& planned, const std::vector<SourceFile>& sources, const ImportShared& shared)
      : m_planned(planned), m_shared(shared) {
    m_outcome.unit.key = planned.key;
    m_outcome.unit.sources = sources;
    m_outcome.unit.title = planned.unit.title;
    m_outcome.unit.split = planned.givenSplit;
    for (const fs::path& folder : planned.unit.imageFolders) m_outcome.unit.pictures.push_back(folder.string());
    m_hash = hash64(planned.key);
    for (const SourceFile& source : sources) m_hash = mix64(m_hash ^ source.fingerprint ^ mix64(source.size));
  }
  ~UnitSink() override { dropBlob(); }

  bool advance(std::uint64_t bytes) override { return m_shared.advance(bytes, m_planned.unit.name); }

  void problem(Problem problem) override {
    if (problem.file.empty()) problem.file = m_planned.unit.files.front().string();
    m_shared.tell(problem);
    m_outcome.unit.problems.push_back(std::move(problem));
  }

  Status announce(const std::string&, bool waymo) override { return waymo ? fatal(m_shared.acceptWaymo()) : Status(); }

  Result<std::uint64_t> storeBytes(std::span<const std::uint8_t> bytes) override {
    if (!m_blob) ROADTUNE_CHECK(fatal(openBlob()));
    const std::uint64_t at = m_blob->size();
    ROADTUNE_CHECK(fatal(m_blob->append({reinterpret_cast<const char*>(bytes.data()), bytes.size()})));
    m_crcs[{at, bytes.size()}] = crc32c(bytes);
    return at;
  }

  Status deliver(Recording recording) override {
    if (recording.images.empty()) {
      dropBlob();
      problem({.file = {}, .segment = recording.name, .what = "holds no images", .done = "segment left out"});
      return {};
    }
    ROADTUNE_CHECK(announce(recording.name, recording.waymo));
    if (recording.split.empty()) recording.split = m_planned.unit.split;
    if (recording.split.empty()) recording.split = m_planned.givenSplit;
    if (recording.split.empty()) recording.split = m_planned.unit.guessedSplit;
    const std::string stem =
        fileNameOf(recording.name, hashOfPictures(recording, mix64(m_hash ^ hash64(recording.name))));
    const std::string name = recording.name;
    addChecksums(recording);
    ROADTUNE_CHECK(fatal(keepBlob(stem)));
    const std::filesystem::path& base = m_planned.unit.base;
    ImageBase imageBase{base, base.empty() ? base : base.lexically_relative(fs::absolute(m_shared.layout.folder))};
    std::vector<Problem> problems;
    const Result<SegmentInfo> written = writeSegment(std::move(recording), m_outcome.unit.sources, m_planned.key,
                                                     imageBase, m_shared.layout.segment(stem), problems);
    for (Problem& told : problems) problem(std::move(told));
    if (!written.ok()) return fatal(written.error());
    m_outcome.unit.segments.push_back(stem);
    m_outcome.names.push_back(name);
    return {};
  }

  const std::optional<Error>& fatalError() const { return m_fatal; }
  UnitOutcome take() { return std::move(m_outcome); }

 private:
  Status fatal(Status status) {
    if (!status.ok() && !m_fatal) m_fatal = status.error();
    return status;
  }

  fs::path asidePath() const { return m_shared.layout.blobFolder() / fmt::format("aside-{:016x}", m_hash); }

  Status openBlob() {
    ROADTUNE_CHECK(makeFolders(m_shared.layout.blobFolder()));
    std::error_code code;
    fs::remove(asidePath(), code);
    ROADTUNE_TRY(AppendFile blob, AppendFile::open(asidePath()));
    m_blob.emplace(std::move(blob));
    return {};
  }

  // Either all pictures of a segment have them or none.
  void addChecksums(Recording& recording) const {
    const auto inBlob = [](const RecordedImage& image) {
      return image.file == RecordedImage::kBlob || image.file == RecordedImage::kNowhere;
    };
    if (!m_blob || !std::ranges::all_of(recording.images, inBlob)) return;
    for (RecordedImage& image : recording.images)
      if (const auto known = m_crcs.find({image.offset, image.length}); known != m_crcs.end())
        image.crc = known->second;
  }

  Status keepBlob(const std::string& stem) {
    m_crcs.clear();
    if (!m_blob) return {};
    ROADTUNE_CHECK(m_blob->sync());
    m_blob.reset();
    std::error_code code;
    fs::rename(asidePath(), m_shared.layout.blob(stem), code);
    if (code) return systemError(code.value(), "cannot rename", asidePath().string());
    return {};
  }

  void dropBlob() {
    m_crcs.clear();
    if (!m_blob) return;
    m_blob.reset();
    std::error_code code;
    fs::remove(asidePath(), code);
  }

  const PlannedUnit& m_planned;
  const ImportShared& m_shared;
  UnitOutcome m_outcome;
  std::uint64_t m_hash = 0;
  std::optional<AppendFile> m_blob;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> m_crcs;  // of what is in it, by offset and length
  std::optional<Error> m_fatal;
};

}  // namespace

Result<UnitOutcome> importUnit(const PlannedUnit& planned, const std::vector<SourceFile>& sources,
                               const ImportShared& shared) {
  UnitSink sink(planned, sources, shared);
  const Status read = planned.reader->read(planned.unit, sink);
  if (sink.fatalError()) return *sink.fatalError();
  if (!read.ok()) {
    if (read.error().kind == ErrorKind::Cancelled) return read.error();
    const Error& error = read.error();
    sink.problem({.file = error.where, .what = error.what, .done = "nothing of it could be used"});
  }
  return sink.take();
}

}  // namespace roadtune::data
