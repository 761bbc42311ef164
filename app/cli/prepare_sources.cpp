// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/prepare_sources.h"

#include "app/cli/data_readers.h"
#include "app/cli/storage_sources.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/data/index/import.h"
#include "core/data/index/waymo_license.h"
#include "core/data/source/fetched.h"
#include "core/data/source/prepared.h"
#include "core/data/source/run_sources.h"
#include "core/protocol/run_layout.h"

#include <fmt/format.h>

#include <cstdio>

namespace roadtune::cli {
namespace {

Status import(const data::SourceSpec& spec, const std::filesystem::path& out, ProgressSink& progress) {
  data::ImportRequest request;
  request.sources.emplace_back(spec.path);
  if (!spec.images.empty()) request.sources.emplace_back(spec.images);
  request.out = out;
  request.acceptWaymoLicense = [&]() -> Status {
    if (data::waymoLicenseAccepted()) return {};
    return badInput("Waymo data needs one acknowledgement of its licence", spec.path,
                    std::string(data::waymoLicenseHint()));
  };
  std::string first;
  request.onProblem = [&](const data::Problem& problem) {
    if (first.empty()) first = problem.what;
  };
  ROADTUNE_TRY(const auto outcome, data::importInto(request, dataReaders(), progress));
  if (outcome.usable == 0) return badInput(first.empty() ? "holds no usable image" : first, spec.path);
  if (outcome.problems > 0)
    fmt::print(stderr, "{}: {} problems, the first: {}; all in {}\n", spec.path, outcome.problems, first,
               (out / "problems.jsonl").string());
  return {};
}

// Fetches what the run names by URL, and leaves word for its ranks where it lies. What a run fetched before and still
// has is not asked for again: it goes on with the data it began with.
Status fetchSources(const config::RunConfig& config, const std::filesystem::path& folder, ProgressSink& progress) {
  data::FetchedSources fetched = data::readFetched(folder);
  const data::FetchedSources before = fetched;
  std::error_code code;
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key))
      for (const std::string& url : {source.path, source.images}) {
        if (!isUrl(url)) continue;
        if (const auto known = before.find(url); known != before.end() && std::filesystem::exists(known->second, code))
          continue;
        ROADTUNE_TRY(fetched[url], sourceHere(url, {}, progress));
      }
  return fetched == before ? Status() : data::writeFetched(folder, fetched);
}

}  // namespace

Status prepareSources(const config::RunConfig& config, const std::filesystem::path& run, bool onHosts,
                      ProgressSink& progress) {
  if (const auto wrong = data::queryProblems(config); !wrong.empty())
    return badInput(wrong.front().message, wrong.front().key, wrong.front().hint);
  const auto folder = protocol::RunLayout(run).preparedData();
  if (!onHosts) ROADTUNE_CHECK(fetchSources(config, folder, progress));  // other machines: refused when it was planned
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key)) {
      ROADTUNE_TRY(const data::SourceSpec spec,
                   data::withFetchedPaths({.path = source.path, .images = source.images, .prepared = folder.string()}));
      const auto out = data::preparedIndex(spec);
      if (!out) continue;
      if (onHosts && endsWith(lower(source.path), ".json")) continue;  // each rank reads such a file itself
      if (onHosts)
        return badInput("cannot be read by ranks on other machines as it is", key,
                        "run `roadtune data index " + source.path + " --out DIR` there, and name DIR");
      ROADTUNE_CHECK(import(spec, *out, progress));
    }
  return {};
}

}  // namespace roadtune::cli
