// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/export/pack.h"
#include "core/data/index/index.h"

#include <string>
#include <vector>

namespace roadtune::cli {

// packImages() with the pack in object storage: `request.out` does not count. Finished shards leave this machine; an
// interrupted pack is taken up from what the storage holds, on any machine.
Result<data::PackOutcome> packToStorage(const data::Index& index, std::vector<data::ImageId> images,
                                        data::PackRequest request, const std::string& url, ProgressSink& progress);

}  // namespace roadtune::cli
