// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/thumbnails.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/mapped_file.h"
#include "core/data/image/decode.h"
#include "core/data/image/encode.h"
#include "core/data/index/catalogue.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>

namespace roadtune::data {

namespace {

constexpr int kSmallWidth = 240, kLargeWidth = 480, kQuality = 75;

// Before every JPEG in a pack. The pack is read from the front to learn what it holds.
struct PackEntry {
  std::uint32_t magic;
  std::uint32_t row;     // of the image in its segment
  std::uint32_t length;  // of the JPEG that follows
  std::uint32_t crc;     // of the three numbers before
};
constexpr std::uint32_t kEntryMagic = 0x42485452;  // "RTHB"

std::uint32_t entryCrc(const PackEntry& entry) {
  return crc32c({reinterpret_cast<const std::uint8_t*>(&entry), sizeof entry - sizeof entry.crc});
}

Status writeAt(int fd, std::uint64_t offset, std::string_view bytes, const fs::path& file) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return systemError("cannot write", file.string());
    offset += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

// The small pictures of one segment in one size.
class Pack {
 public:
  explicit Pack(fs::path file) : m_path(std::move(file)) {}

  std::optional<std::string> find(std::uint32_t row) {
    const std::lock_guard lock(m_mutex);
    openForReading();
    auto found = m_rows.find(row);
    if (found == m_rows.end()) {
      scan();
      found = m_rows.find(row);
    }
    if (found == m_rows.end()) return std::nullopt;
    std::string bytes(found->second.second, '\0');
    const ssize_t count = ::pread(m_fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(found->second.first));
    if (count != static_cast<ssize_t>(bytes.size())) return std::nullopt;
    return bytes;
  }

  // Another process may append at the same time: the end is looked up under the file's lock.
  Status add(std::uint32_t row, const std::string& jpeg) {
    const std::lock_guard lock(m_mutex);
    ROADTUNE_CHECK(openForWriting());
    if (::flock(m_fd.get(), LOCK_EX) != 0) return systemError("cannot lock", m_path.string());
    scan();
    Status written;
    if (!m_rows.contains(row)) {
      PackEntry entry{kEntryMagic, row, static_cast<std::uint32_t>(jpeg.size()), 0};
      entry.crc = entryCrc(entry);
      std::string bytes(reinterpret_cast<const char*>(&entry), sizeof entry);
      bytes += jpeg;
      written = writeAt(m_fd.get(), m_scanned, bytes, m_path);
      if (written.ok()) scan();
    }
    ::flock(m_fd.get(), LOCK_UN);
    return written;
  }

 private:
  void openForReading() {
    if (!m_fd.valid()) m_fd.reset(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
  }

  Status openForWriting() {
    if (m_writable) return {};
    ROADTUNE_CHECK(makeFolders(m_path.parent_path()));
    UniqueFd fd(::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!fd.valid()) return systemError("cannot open for writing", m_path.string());
    m_fd = std::move(fd);
    m_writable = true;
    return {};
  }

  // Learns the entries after the last known one; stops at a half-written one, which the next writer overwrites.
  void scan() {
    struct stat info {};
    if (!m_fd.valid() || ::fstat(m_fd.get(), &info) != 0) return;
    const auto size = static_cast<std::uint64_t>(info.st_size);
    PackEntry entry{};
    while (m_scanned + sizeof entry <= size) {
      if (::pread(m_fd.get(), &entry, sizeof entry, static_cast<off_t>(m_scanned)) != sizeof entry) return;
      const std::uint64_t end = m_scanned + sizeof entry + entry.length;
      if (entry.magic != kEntryMagic || entry.crc != entryCrc(entry) || end > size) return;
      m_rows[entry.row] = {m_scanned + sizeof entry, entry.length};
      m_scanned = end;
    }
  }

  fs::path m_path;
  std::mutex m_mutex;
  UniqueFd m_fd;
  bool m_writable = false;
  std::uint64_t m_scanned = 0;
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint32_t>> m_rows;  // row -> offset, length
};

}  // namespace

struct Thumbnails::Parts {
  std::shared_ptr<const Index> index;
  std::mutex mutex;
  std::map<std::pair<std::uint32_t, ThumbnailSize>, std::shared_ptr<Pack>> packs;

  static constexpr std::size_t kOpenPacks = 200;

  std::shared_ptr<Pack> pack(std::uint32_t segment, ThumbnailSize size) {
    const std::lock_guard lock(mutex);
    if (packs.size() >= kOpenPacks && !packs.contains({segment, size})) packs.erase(packs.begin());
    auto& pack = packs[{segment, size}];
    if (!pack) {
      const IndexLayout layout{index->folder()};
      const std::string stem = index->segment(segment).file().stem().string();
      pack = std::make_shared<Pack>(layout.thumbnailFolder() /
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
