// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/remote_sources.h"

#include "core/base/url.h"

namespace roadtune::remote {

Status refuseStorageSources(const config::RunConfig& config) {
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key))
      for (const auto& path : {source.path, source.images})
        if (isUrl(path))
          return badInput(path + " is fetched by runs of this machine only, and the ranks run elsewhere", key,
                          "`roadtune data fetch " + path +
                              " --cache DIR` with DIR on a file system that all machines share, or on each machine, "
                              "and name the folder that it prints");
  return {};
}

}  // namespace roadtune::remote
