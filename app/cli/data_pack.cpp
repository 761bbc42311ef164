// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data pack: pictures made ready for training, in few large files.
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "app/cli/pack_to_storage.h"
#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/data/export/pack.h"
#include "core/data/query/query.h"

#include <fmt/format.h>

#include <memory>

namespace roadtune::cli {

namespace {

struct PackOptions {
  std::string folder, out, query, pictures = "jpeg", progress;
  data::PackRequest request;
  std::uint64_t shardMegabytes = 1024;
  bool json = false;
};

Result<int> runPack(const PackOptions& options) {
  data::PackRequest request = options.request;
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  request.pictures = options.pictures == "raw" ? data::PackRequest::Pictures::Raw : data::PackRequest::Pictures::Jpeg;
  request.out = options.out;
  request.shardBytes = options.shardMegabytes << 20;
  request.onProblem = [](const data::Problem& problem) { fmt::print(stderr, "{}\n", problem.line()); };
  ROADTUNE_TRY(const std::shared_ptr<const data::Index> index, data::Index::open(options.folder));
  ROADTUNE_TRY(const data::Query query, data::Query::parse(options.query));
  data::QueryEngine engine(index);
  ROADTUNE_TRY(const auto user, data::UserData::openWritten(*index));
  if (user) ROADTUNE_CHECK(engine.setUserData(*user));
  ROADTUNE_TRY(data::QueryResult found, engine.run(query));
  Interrupt::install();
  const std::unique_ptr<ProgressSink> progress = makeProgressSink(style, [] { return Interrupt::requested(); });
  ROADTUNE_TRY(const data::PackOutcome outcome,
               isUrl(options.out) ? packToStorage(*index, std::move(found.images), request, options.out, *progress)
                                  : data::packImages(*index, std::move(found.images), request, *progress));
  if (outcome.images == 0 && outcome.unreadable > 0)
    return failed("none of its pictures can be read", options.folder,
                  "roadtune data info says where they were; put them back, or import them again");
  if (options.json)
    fmt::print(
        "{{\"images\":{},\"unreadable\":{},\"shards\":{},\"kept_shards\":{},\"bytes\":{},"
        "\"contains_waymo_data\":{}}}\n",
        outcome.images, outcome.unreadable, outcome.shards, outcome.keptShards, outcome.bytes, outcome.waymo);
  else
    fmt::print("{} in {}, {}: {}\n", counted(outcome.images, "image"), counted(outcome.shards, "shard"),
               formatBytes(outcome.bytes), options.out);
  return kExitDone;
}

const Registration kPack{
    "data pack", "Make pictures ready for training, in few large files", [](CLI::App& app) -> Action {
      auto options = std::make_shared<PackOptions>();
      app.footer("The pack is an index too: name it in train_data, or ask `roadtune data query` about it.");
      app.add_option("DIR", options->folder, "Folder of the index")->required();
      app.add_option("--out", options->out, "Folder of the pack, or s3:// or gs://; an interrupted one is taken up")
          ->required();
      app.add_option("--model-size", options->request.size, "Side of the squares that the pictures become")
          ->check(CLI::Range(1, 4096))
          ->capture_default_str();
      app.add_option("--pictures", options->pictures, "jpeg, or raw: every pixel as the trainer would make it")
          ->check(CLI::IsMember({"jpeg", "raw"}))
          ->capture_default_str();
      app.add_option("--quality", options->request.quality, "Of the JPEGs")
          ->check(CLI::Range(1, 100))
          ->capture_default_str();
      app.add_option("--shard-mb", options->shardMegabytes, "Size at which a shard is full")
          ->check(CLI::Range(1, 1 << 20))
          ->capture_default_str();
      app.add_option("--query", options->query, "Which images; all when not given");
      app.add_option("--jobs", options->request.jobs, "Threads; 0: one per processor")->check(wholeNumberFrom(0));
      app.add_option("--progress", options->progress, "json, bar or none");
      app.add_flag("--json", options->json, "Print what was written as JSON");
      return [options]() -> Result<int> { return runPack(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
