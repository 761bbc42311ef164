// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/storage_sources.h"

#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/data/storage/fetch.h"

#include <fmt/format.h>

namespace roadtune::cli {

namespace {

void tellSize(const data::FetchPlan& plan) {
  const auto bytes = [](std::uint64_t count) { return formatBytes(static_cast<double>(count)); };
  const std::string missing = plan.missingObjects == 0
                                  ? "all of it is in " + plan.cache.string()
                                  : bytes(plan.missingBytes) + " to fetch into " + plan.cache.string();
  fmt::print(stderr, "{}: {}, {}; {}\n", plan.source.text(), counted(plan.objects.size(), "object"), bytes(plan.bytes),
             missing);
}

}  // namespace

std::filesystem::path StorageOptions::cacheFolder() const {
  std::error_code code;
  return cache.empty() ? data::defaultStorageCache() : std::filesystem::absolute(cache, code).lexically_normal();
}

void addStorageOptions(CLI::App& app, StorageOptions& options) {
  app.add_option("--cache", options.cache,
                 "Folder for what is fetched from s3:// and gs:// (default: the user's cache)");
  app.add_option("--parallel", options.parallel, "Objects fetched at the same time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
}

Result<std::string> sourceHere(const std::string& source, const StorageOptions& options, ProgressSink& progress) {
  if (!isUrl(source)) return source;
  ROADTUNE_TRY(const data::Location location, data::parseLocation(source));
  ROADTUNE_TRY(const auto storage, data::Storage::open(location));
  ROADTUNE_TRY(const data::FetchPlan plan, data::planFetch(*storage, location, options.cacheFolder()));
  tellSize(plan);
  ROADTUNE_CHECK(data::fetch(*storage, plan, options.parallel, progress));
  return plan.place.string();
}

Result<std::vector<std::string>> sourcesHere(const std::vector<std::string>& sources, const StorageOptions& options,
                                             ProgressSink& progress) {
  std::vector<std::string> here;
  for (const std::string& source : sources) {
    ROADTUNE_TRY(std::string path, sourceHere(source, options, progress));
    here.push_back(std::move(path));
  }
  return here;
}

}  // namespace roadtune::cli
