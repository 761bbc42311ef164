// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/prepare_sources.h"

#include "app/cli/data_readers.h"
#include "core/base/text.h"
#include "core/data/index/import.h"
#include "core/data/index/waymo_license.h"
#include "core/data/source/prepared.h"
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

}  // namespace

Status prepareSources(const config::RunConfig& config, const std::filesystem::path& run, bool onHosts,
                      ProgressSink& progress) {
  const auto folder = protocol::RunLayout(run).preparedData();
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key)) {
      const data::SourceSpec spec{.path = source.path, .images = source.images, .prepared = folder.string()};
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
