// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/prepare_sources.h"

#include "app/cli/data_license.h"
#include "app/cli/data_readers.h"
#include "app/cli/storage_sources.h"
#include "core/data/index/import.h"
#include "core/data/source/prepare_sources.h"
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
  request.acceptWaymoLicense = [&] { return acceptWaymo(false, spec.path); };
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

}  // namespace

Status prepareSources(const config::RunConfig& config, const std::filesystem::path& run, bool onHosts,
                      ProgressSink& progress) {
  data::SourceMeans means;
  means.fetch = [&progress](const std::string& url) { return sourceHere(url, {}, progress); };
  means.read = [&progress](const data::SourceSpec& source, const std::filesystem::path& out) {
    return import(source, out, progress);
  };
  return data::prepareSources(config, protocol::RunLayout(run).preparedData(), onHosts, means);
}

}  // namespace roadtune::cli
