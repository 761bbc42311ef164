// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pack_to_storage.h"

#include "app/cli/scratch_folder.h"
#include "core/base/text.h"
#include "core/data/storage/storage.h"

#include <algorithm>

namespace roadtune::cli {

namespace fs = std::filesystem;

namespace {

class StoragePack : public data::PackStore {
 public:
  StoragePack(const data::Storage& storage, data::Location target, fs::path workshop, ProgressSink& progress)
      : m_storage(storage), m_target(std::move(target)), m_workshop(std::move(workshop)), m_progress(progress) {}

  Status takeUp() override {
    ROADTUNE_TRY(m_there, m_storage.list(m_target));
    const bool pack = find("pack.json");
    if (!pack && !m_there.empty())
      return badInput("holds other objects already", m_target.text(), "choose another --out, or an empty prefix");
    for (const data::StoredObject& object : m_there)
      if (object.name == "pack.json" || (startsWith(object.name, "shards/") && endsWith(object.name, ".places")))
        ROADTUNE_CHECK(
            m_storage.download(m_target.child(object.name), m_workshop / object.name, m_workshop / ".parts"));
    return {};
  }

  Result<bool> holds(const std::string& file, std::uint64_t bytes) override {
    const auto* object = find(file);
    return object && object->bytes == bytes;
  }

  Status put(const std::string& file) override {
    std::error_code code;
    const std::uint64_t total = fs::file_size(m_workshop / file, code);
    std::uint64_t done = 0;
    const auto moved = [&](std::uint64_t bytes) {
      done += bytes;
      return m_progress.report({"uploading", done, total, "bytes", file});
    };
    const bool shard = endsWith(file, ".tar");
    return m_storage.upload(m_workshop / file, m_target.child(file),
                            shard ? data::BytesMoved(moved) : data::BytesMoved());
  }

 private:
  const data::StoredObject* find(const std::string& name) const {
    const auto found = std::find_if(m_there.begin(), m_there.end(), [&](const auto& one) { return one.name == name; });
    return found == m_there.end() ? nullptr : &*found;
  }

  const data::Storage& m_storage;
  data::Location m_target;
  fs::path m_workshop;
  ProgressSink& m_progress;
  std::vector<data::StoredObject> m_there;
};

}  // namespace

Result<data::PackOutcome> packToStorage(const data::Index& index, std::vector<data::ImageId> images,
                                        data::PackRequest request, const std::string& url, ProgressSink& progress) {
  ROADTUNE_TRY(const data::Location target, data::parseLocation(url));
  ROADTUNE_TRY(const auto storage, data::Storage::open(target));
  ROADTUNE_CHECK(storage->checkBucket(target));
  ROADTUNE_TRY(const ScratchFolder workshop, ScratchFolder::make("packing-"));
  StoragePack store(*storage, target, workshop.path(), progress);
  request.out = workshop.path();
  request.store = &store;
  auto outcome = data::packImages(index, std::move(images), request, progress);
  if (outcome.ok()) return outcome;
  Error error = outcome.error();
  if (startsWith(error.where, workshop.path().string()) && error.kind == ErrorKind::BadInput) error.where = url;
  return error;
}

}  // namespace roadtune::cli
