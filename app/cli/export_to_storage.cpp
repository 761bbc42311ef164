// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/export_to_storage.h"

#include "core/base/text.h"
#include "core/base/url.h"
#include "core/data/storage/upload_folder.h"

namespace roadtune::cli {

namespace {

constexpr int kParallel = 4;

}  // namespace

Result<std::optional<ExportToStorage>> ExportToStorage::make(const std::string& out, const std::string& images) {
  if (!isUrl(out) && !isUrl(images)) return std::optional<ExportToStorage>();
  if (!isUrl(out) || (!images.empty() && !isUrl(images)))
    return badInput("must both lie in one bucket, or both here", "--out and --images",
                    "export here, then copy both with the provider's tools");
  ROADTUNE_TRY(data::Location target, data::parseLocation(out));
  std::optional<data::Location> pictures;
  if (!images.empty()) {
    ROADTUNE_TRY(pictures, data::parseLocation(images));
    if (pictures->kind != target.kind || pictures->bucket != target.bucket)
      return badInput("must lie in one bucket", "--out and --images", "name the same bucket");
  }
  const std::string beside = target.parent().key;
  if (pictures && !beside.empty() && !startsWith(pictures->key, beside + "/"))
    return badInput("must lie below the folder of --out, so that one can name the other", "--images",
                    "--images " + target.parent().child("images").text());
  if (target.key.empty()) return badInput("names a bucket, not a file or folder in it", out, out + "/NAME");
  ROADTUNE_TRY(auto storage, data::Storage::open(target));
  ROADTUNE_CHECK(storage->checkBucket(target));
  ROADTUNE_TRY(ScratchFolder folder, ScratchFolder::make("export-"));
  return std::optional(ExportToStorage(std::move(folder), std::move(target), std::move(pictures), std::move(storage)));
}

Status ExportToStorage::upload(ProgressSink& progress) const {
  std::set<std::string> last;
  std::error_code code;
  for (std::filesystem::recursive_directory_iterator at(m_folder.path(), code), end; !code && at != end;
       at.increment(code)) {
    const std::string name = at->path().lexically_relative(m_folder.path()).generic_string();
    const bool picture = m_images && startsWith(name, m_images->key + "/");
    if (at->is_regular_file() && !picture) last.insert(name);
  }
  data::Location bucket = m_out;
  bucket.key.clear();
  return data::uploadFolder(*m_storage, m_folder.path(), bucket, last, kParallel, progress);
}

}  // namespace roadtune::cli
