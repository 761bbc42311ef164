// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/storage/storage.h"

#include "core/data/storage/storage_impl.h"

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/key_value_metadata.h>

#include <algorithm>

namespace roadtune::data {

namespace {

StoredObject describe(const arrow::fs::FileInfo& info, std::string name) {
  return {std::move(name), static_cast<std::uint64_t>(std::max<std::int64_t>(0, info.size())),
          std::chrono::duration_cast<std::chrono::nanoseconds>(info.mtime().time_since_epoch()).count()};
}

}  // namespace

Storage::Storage(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Storage::~Storage() = default;

std::string Storage::Impl::pathOf(const Location& place) {
  if (place.isLocal()) return place.key;
  return place.key.empty() ? place.bucket : place.bucket + "/" + place.key;
}

// A refusal of a look at one object or bucket carries no reason; asking for a list does.
Error Storage::Impl::error(const arrow::Status& status, const Location& place) const {
  const std::string words = status.ToString();
  if (words.find("during Head") == std::string::npos || words.find("ACCESS_DENIED") == std::string::npos)
    return storageError(words, place);
  const arrow::Status listed = canList(place.parent());
  return storageError(listed.ok() ? words : listed.ToString(), place);
}

arrow::Status Storage::Impl::canList(const Location& place) const {
  arrow::fs::FileSelector selector;
  selector.base_dir = pathOf(place);
  selector.allow_not_found = true;
  return files->GetFileInfo(selector).status();
}

Result<std::shared_ptr<Storage>> Storage::open(const Location& place) {
  auto impl = std::make_unique<Impl>();
  impl->kind = place.kind;
  ROADTUNE_TRY(impl->files, openFiles(place));
  return std::shared_ptr<Storage>(new Storage(std::move(impl)));
}

Status Storage::checkBucket(const Location& place) const {
  if (place.isLocal()) return {};
  Location bucket = place;
  bucket.key.clear();
  const auto info = m_impl->files->GetFileInfo(Impl::pathOf(bucket));
  if (!info.ok() && m_impl->canList(bucket).ok()) return {};  // rights to the bucket itself are not needed
  if (!info.ok()) return m_impl->error(info.status(), bucket);
  if (info->type() == arrow::fs::FileType::NotFound) return storageError("NoSuchBucket", place);
  return {};
}

Result<std::optional<StoredObject>> Storage::find(const Location& object) const {
  if (!object.isLocal() && object.key.empty()) return std::optional<StoredObject>();
  ROADTUNE_ARROW(const arrow::fs::FileInfo info, m_impl->files->GetFileInfo(Impl::pathOf(object)),
                 [&](const arrow::Status& status) { return m_impl->error(status, object); });
  if (!info.IsFile()) return std::optional<StoredObject>();
  return std::optional(describe(info, ""));
}

Result<std::vector<StoredObject>> Storage::list(const Location& place) const {
  ROADTUNE_TRY(const auto alone, find(place));
  if (alone) return std::vector{*alone};
  arrow::fs::FileSelector selector;
  selector.base_dir = Impl::pathOf(place);
  selector.allow_not_found = true;
  selector.recursive = true;
  ROADTUNE_ARROW(const auto infos, m_impl->files->GetFileInfo(selector),
                 [&](const arrow::Status& status) { return m_impl->error(status, place); });
  std::vector<StoredObject> objects;
  for (const auto& info : infos)
    if (info.IsFile()) objects.push_back(describe(info, info.path().substr(selector.base_dir.size() + 1)));
  if (objects.empty()) ROADTUNE_CHECK(checkBucket(place));
  std::sort(objects.begin(), objects.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return objects;
}

Result<std::string> Storage::read(const Location& object, std::uint64_t offset, std::uint64_t length) const {
  const auto toError = [&](const arrow::Status& status) { return m_impl->error(status, object); };
  ROADTUNE_ARROW(const auto file, m_impl->files->OpenInputFile(Impl::pathOf(object)), toError);
  ROADTUNE_ARROW(const std::int64_t size, file->GetSize(), toError);
  if (offset >= static_cast<std::uint64_t>(size)) return std::string();
  const auto count = static_cast<std::int64_t>(std::min(length, static_cast<std::uint64_t>(size) - offset));
  ROADTUNE_ARROW(const auto bytes, file->ReadAt(static_cast<std::int64_t>(offset), count), toError);
  return bytes->ToString();
}

Status Storage::remove(const Location& object) const {
  ROADTUNE_TRY(const auto there, find(object));
  if (!there) return {};
  const auto removed = m_impl->files->DeleteFile(Impl::pathOf(object));
  return removed.ok() ? Status() : Status(m_impl->error(removed, object));
}

}  // namespace roadtune::data
