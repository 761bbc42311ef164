// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/scratch_folder.h"
#include "core/base/progress.h"
#include "core/data/storage/storage.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace roadtune::cli {

// An export whose files go to object storage: it is written into a folder that mirrors the bucket, so that names from
// one file to another stay right, and uploaded when it is whole.
class ExportToStorage {
 public:
  // None for paths. Refuses pictures and labels on different sides, whose names for each other would be wrong.
  static Result<std::optional<ExportToStorage>> make(const std::string& out, const std::string& images);

  std::filesystem::path out() const { return m_folder.path() / m_out.key; }
  std::filesystem::path images() const { return m_images ? m_folder.path() / m_images->key : std::filesystem::path(); }
  Status upload(ProgressSink& progress) const;  // the annotations when all pictures are there

 private:
  ExportToStorage(ScratchFolder folder, data::Location out, std::optional<data::Location> images,
                  std::shared_ptr<data::Storage> storage)
      : m_folder(std::move(folder)),
        m_out(std::move(out)),
        m_images(std::move(images)),
        m_storage(std::move(storage)) {}
  ScratchFolder m_folder;
  data::Location m_out;
  std::optional<data::Location> m_images;
  std::shared_ptr<data::Storage> m_storage;
};

}  // namespace roadtune::cli
