// SPDX-License-Identifier: GPL-3.0-or-later
// Files into storage and out of it.
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/mapped_file.h"
#include "core/data/storage/storage_impl.h"

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace roadtune::data {

namespace {

constexpr std::int64_t kPiece = 8 << 20;

std::string tagOf(arrow::io::RandomAccessFile& file) {
  const auto metadata = file.ReadMetadata();
  if (!metadata.ok() || !*metadata) return {};
  for (const char* name : {"ETag", "etag", "md5Hash"})
    if (const auto value = (*metadata)->Get(name); value.ok()) return *value;
  return {};
}

// The file that gathers an object. Its name tells which content it belongs to; one process works on it at a time.
class PartFile {
 public:
  static Result<PartFile> open(const fs::path& folder, const std::string& content, const BytesMoved& moved) {
    ROADTUNE_CHECK(makeFolders(folder));
    PartFile part;
    part.m_path = folder / (sha256Hex(content).substr(0, 32) + ".part");
    while (true) {
      part.m_fd.reset(::open(part.m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
      if (!part.m_fd.valid()) return systemError("cannot create", part.m_path.string());
      struct stat held {
      }, named{};
      const bool mine = ::flock(part.m_fd.get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(part.m_fd.get(), &held) == 0 &&
                        ::stat(part.m_path.c_str(), &named) == 0 && held.st_ino == named.st_ino;
      part.m_size = static_cast<std::uint64_t>(held.st_size);
      if (mine) return part;
      if (moved && !moved(0)) return cancelled();
      ::usleep(100'000);
    }
  }

  std::uint64_t size() const { return m_size; }

  Status restart() {
    if (::ftruncate(m_fd.get(), 0) != 0) return systemError("cannot write", m_path.string());
    m_size = 0;
    return {};
  }

  Status append(const std::uint8_t* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t written = ::pwrite(m_fd.get(), bytes, count, static_cast<off_t>(m_size));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return systemError("cannot write", m_path.string());
      bytes += written;
      count -= static_cast<std::size_t>(written);
      m_size += static_cast<std::uint64_t>(written);
    }
    return {};
  }

  Status becomes(const fs::path& target) {
    if (::fsync(m_fd.get()) != 0) return systemError("cannot write", m_path.string());
    ROADTUNE_CHECK(makeFolders(target.parent_path()));
    if (::rename(m_path.c_str(), target.c_str()) != 0) return systemError("cannot rename to", target.string());
    return {};
  }

 private:
  fs::path m_path;
  UniqueFd m_fd;
  std::uint64_t m_size = 0;
};

Status renameSynced(const std::string& from, const std::string& to) {
  const UniqueFd fd(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid() || ::fsync(fd.get()) != 0) return systemError("cannot write", to);
  if (::rename(from.c_str(), to.c_str()) != 0) return systemError("cannot rename to", to);
  return syncFolder(fs::path(to).parent_path());
}

bool tell(const BytesMoved& moved, std::uint64_t bytes) { return !moved || moved(bytes); }

// An unfinished object must not appear. Closing would finish it, so it is given up, and where the library cannot do
// that, removed afterwards.
Error giveUp(arrow::fs::FileSystem& files, arrow::io::OutputStream& stream, const std::string& path, Error why) {
  if (!stream.Abort().ok() || files.type_name() != "s3") [[maybe_unused]]
    const auto removed = files.DeleteFile(path);
  return why;
}

}  // namespace

Result<std::string> Storage::tag(const Location& object) const {
  ROADTUNE_ARROW(const auto file, m_impl->files->OpenInputFile(Impl::pathOf(object)),
                 [&](const arrow::Status& status) { return m_impl->error(status, object); });
  return tagOf(*file);
}

Result<std::string> Storage::download(const Location& object, const fs::path& target, const fs::path& parts,
                                      const BytesMoved& moved) const {
  const auto toError = [&](const arrow::Status& status) { return m_impl->error(status, object); };
  ROADTUNE_ARROW(const auto file, m_impl->files->OpenInputFile(Impl::pathOf(object)), toError);
  ROADTUNE_ARROW(const std::int64_t size, file->GetSize(), toError);
  const std::string tag = tagOf(*file);
  ROADTUNE_TRY(PartFile part, PartFile::open(parts, fmt::format("{}\n{}\n{}", object.text(), tag, size), moved));
  if (part.size() > static_cast<std::uint64_t>(size) || tag.empty()) ROADTUNE_CHECK(part.restart());
  if (!tell(moved, part.size())) return cancelled();
  while (part.size() < static_cast<std::uint64_t>(size)) {
    const auto at = static_cast<std::int64_t>(part.size());
    ROADTUNE_ARROW(const auto piece, file->ReadAt(at, std::min(kPiece, size - at)), toError);
    if (piece->size() == 0) return failed("ended before its size", object.text(), "was it replaced? try again");
    ROADTUNE_CHECK(part.append(piece->data(), static_cast<std::size_t>(piece->size())));
    if (!tell(moved, static_cast<std::uint64_t>(piece->size()))) return cancelled();
  }
  ROADTUNE_CHECK(part.becomes(target));
  return tag;
}

Status Storage::Impl::put(std::span<const std::uint8_t> bytes, const Location& object, const BytesMoved& moved) const {
  // On a file system a name shows what is written under it, so it is written aside.
  const std::string path = pathOf(object), aside = object.isLocal() ? path + ".part" : path;
  const auto toError = [&](const arrow::Status& status) { return error(status, object); };
  if (object.isLocal()) ROADTUNE_CHECK(makeFolders(fs::path(path).parent_path()));
  ROADTUNE_ARROW(const auto stream, files->OpenOutputStream(aside), toError);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t count = std::min<std::size_t>(kPiece, bytes.size() - at);
    const auto written = stream->Write(bytes.data() + at, static_cast<std::int64_t>(count));
    if (!written.ok()) return giveUp(*files, *stream, aside, toError(written));
    at += count;
    if (!tell(moved, count)) return giveUp(*files, *stream, aside, cancelled());
  }
  if (const auto closed = stream->Close(); !closed.ok()) return toError(closed);
  return object.isLocal() ? renameSynced(aside, path) : Status();
}

Status Storage::upload(const fs::path& file, const Location& object, const BytesMoved& moved) const {
  ROADTUNE_TRY(const auto content, MappedFile::open(file, MappedFile::Access::Sequential));
  return m_impl->put(content.bytes(), object, moved);
}

Status Storage::uploadText(std::string_view text, const Location& object) const {
  return m_impl->put({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, object, {});
}

}  // namespace roadtune::data
