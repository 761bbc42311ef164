// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/prepare_sources.h"

#include "core/base/text.h"
#include "core/base/url.h"
#include "core/data/source/fetched.h"
#include "core/data/source/prepared.h"
#include "core/data/source/run_sources.h"

namespace roadtune::data {
namespace {

// Fetches what the run names by URL, and leaves word for its ranks where it lies. What a run fetched before and still
// has is not asked for again: it goes on with the data it began with.
Status fetchSources(const config::RunConfig& config, const std::filesystem::path& folder, const SourceMeans& means) {
  FetchedSources fetched = readFetched(folder);
  const FetchedSources before = fetched;
  std::error_code code;
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key))
      for (const std::string& url : {source.path, source.images}) {
        if (!isUrl(url)) continue;
        if (const auto known = before.find(url); known != before.end() && std::filesystem::exists(known->second, code))
          continue;
        ROADTUNE_TRY(fetched[url], means.fetch(url));
      }
  return fetched == before ? Status() : writeFetched(folder, fetched);
}

}  // namespace

bool readsStorage(const config::RunConfig& config) {
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key))
      if (isUrl(source.path) || isUrl(source.images)) return true;
  return false;
}

Status prepareSources(const config::RunConfig& config, const std::filesystem::path& folder, bool onHosts,
                      const SourceMeans& means) {
  if (const auto wrong = queryProblems(config); !wrong.empty())
    return badInput(wrong.front().message, wrong.front().key, wrong.front().hint);
  if (!onHosts) ROADTUNE_CHECK(fetchSources(config, folder, means));  // other machines: refused when it was planned
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key)) {
      ROADTUNE_TRY(const SourceSpec spec,
                   withFetchedPaths({.path = source.path, .images = source.images, .prepared = folder.string()}));
      const auto out = preparedIndex(spec);
      if (!out) continue;
      if (onHosts && endsWith(lower(source.path), ".json")) continue;  // each rank reads such a file itself
      if (onHosts)
        return badInput("cannot be read by ranks on other machines as it is", key,
                        "run `roadtune data index " + source.path + " --out DIR` there, and name DIR");
      ROADTUNE_CHECK(means.read(spec, *out));
    }
  return {};
}

}  // namespace roadtune::data
