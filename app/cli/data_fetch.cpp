// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data fetch URL: what s3:// or gs:// names, brought here.
#include "app/cli/command.h"
#include "app/cli/storage_sources.h"
#include "core/base/url.h"

#include <fmt/format.h>

#include <memory>

namespace roadtune::cli {

namespace {

struct DataFetchOptions {
  std::vector<std::string> sources;
  StorageOptions storage;
  std::string progress;
};

Result<int> dataFetch(const DataFetchOptions& options) {
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  for (const std::string& source : options.sources)
    if (!isUrl(source)) return badInput("is not in object storage", source, "s3://bucket/prefix or gs://bucket/prefix");
  Interrupt::install();
  const auto progress = makeProgressSink(style);
  for (const std::string& source : options.sources) {
    ROADTUNE_TRY(const std::string place, sourceHere(source, options.storage, *progress));
    fmt::print("{}\n", place);
  }
  return kExitDone;
}

const Registration kDataFetch{
    "data fetch", "Bring data from object storage here and print where it lies", [](CLI::App& app) -> Action {
      auto options = std::make_shared<DataFetchOptions>();
      app.footer(
          "An interrupted fetch goes on where it ended; what is here already and unchanged is not fetched again.");
      app.add_option("URL", options->sources, "s3://bucket/prefix or gs://bucket/prefix")->required();
      addStorageOptions(app, options->storage);
      app.add_option("--progress", options->progress, "json, bar or none");
      return [options]() -> Result<int> { return dataFetch(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
