// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scratch_folder.h"

#include "core/data/storage/fetch.h"

namespace roadtune::cli {

Result<ScratchFolder> ScratchFolder::make(std::string_view prefix) {
  const std::filesystem::path parent = data::defaultStorageCache();
  ROADTUNE_CHECK(makeFolders(parent));
  ROADTUNE_TRY(std::filesystem::path path, makeTemporaryFolder(prefix, parent));
  return ScratchFolder(std::move(path));
}

}  // namespace roadtune::cli
