// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data query: find images, and mark them.
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/data/query/query.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace roadtune::cli {

namespace {

using nlohmann::json;

struct QueryOptions {
  std::string folder, query;
  bool count = false, json = false;
  std::size_t limit = 0;
  std::optional<std::string> addTag, removeTag;
};

constexpr const char* kLanguage =
    "split=training and camera in (front, front_left) and time=Night and count(pedestrian)>=3 and\n"
    "any(cyclist, h<40, level=2) and not tag:reviewed sort by min(h) limit 500\n"
    "loss(\"RUN\") > 2 sort by loss(\"RUN\") desc: what an image cost a run last; RUN is the run's folder\n"
    "Image fields: segment timestamp frame camera split time location weather width height n labelled tag note\n"
    "Box fields in any() all() none() count() min() max() avg() sum(): class x y w h area aspect level track truncated";

json imageJson(const data::Index& index, data::ImageId id) {
  const data::ImageInfo info = index.image(id);
  const data::SegmentInfo& segment = index.segment(info.segment).info();
  json value = {{"segment", segment.name},      {"timestamp_micros", info.timestamp},
                {"frame", info.frame},          {"camera", data::cameraName(info.camera)},
                {"split", segment.split},       {"time_of_day", segment.time},
                {"location", segment.location}, {"weather", segment.weather},
                {"width", info.width},          {"height", info.height},
                {"labelled", info.labelled},    {"boxes", info.boxCount}};
  const std::string_view name = index.segment(info.segment).imageName(info.row);
  if (!name.empty()) value["file_name"] = name;
  return value;
}

void printImages(const data::Index& index, const data::QueryResult& result, bool asJson) {
  if (asJson) {
    fmt::print("{{\"count\":{},\"images\":[", result.count);
    for (std::size_t i = 0; i < result.images.size(); ++i)
      fmt::print("{}{}", i ? ",\n" : "\n", jsonLine(imageJson(index, result.images[i])));
    fmt::print("]}}\n");
    return;
  }
  for (const data::ImageId id : result.images) {
    const data::ImageInfo info = index.image(id);
    fmt::print("{}\t{} boxes\n", index.imageLabel(id), info.boxCount);
  }
  fmt::print(stderr, "{} {}\n", counted(result.count, "image"), result.count == 1 ? "matches" : "match");
}

Status changeTags(const data::Index& index, const std::vector<data::ImageId>& images, const QueryOptions& options) {
  if (!options.addTag && !options.removeTag) return {};
  ROADTUNE_TRY(data::UserData user, data::UserData::open(index));
  if (options.addTag) ROADTUNE_CHECK(user.addTag(index, images, *options.addTag));
  if (options.removeTag) ROADTUNE_CHECK(user.removeTag(index, images, *options.removeTag));
  if (const auto file = data::UserData::elsewhere(index); !file.empty())
    fmt::print(stderr, "{} cannot be written: your tags of it are kept in {}\n", index.folder().string(),
               file.string());
  return {};
}

Result<int> runQuery(const QueryOptions& options) {
  for (const auto& [name, tag] :
       {std::pair{"--add-tag", &options.addTag}, std::pair{"--remove-tag", &options.removeTag}})
    if (*tag && trim(**tag).empty()) return badInput("a tag has a name", name, "night-check");
  ROADTUNE_TRY(const std::shared_ptr<const data::Index> index, data::Index::open(options.folder));
  ROADTUNE_TRY(const data::Query query, data::Query::parse(options.query));
  data::QueryEngine engine(index);
  ROADTUNE_TRY(const auto user, data::UserData::openWritten(*index));
  if (user) ROADTUNE_CHECK(engine.setUserData(*user));
  // A limit in the query is part of what it asks for; --limit only shortens the list.
  if (options.count) {
    ROADTUNE_TRY(const std::size_t all, engine.count(query));
    const std::size_t count = std::min(all, query.limit().value_or(all));
    if (options.json)
      fmt::print("{{\"count\":{}}}\n", count);
    else
      fmt::print("{}\n", count);
    return kExitDone;
  }
  ROADTUNE_TRY(data::QueryResult result, engine.run(query));
  result.count = std::min(result.count, query.limit().value_or(result.count));
  if (options.limit > 0 && result.images.size() > options.limit) result.images.resize(options.limit);
  ROADTUNE_CHECK(changeTags(*index, result.images, options));
  printImages(*index, result, options.json);
  return kExitDone;
}

const Registration kQuery{
    "data query", "Find images by what they are and what is in them", [](CLI::App& app) -> Action {
      auto options = std::make_shared<QueryOptions>();
      app.footer(kLanguage);
      app.add_option("DIR", options->folder, "Folder of the index")->required();
      app.add_option("QUERY", options->query, "What to find; '' is everything")->required();
      auto* count = app.add_flag("--count", options->count, "Only how many");
      app.add_option("--limit", options->limit, "At most so many")->check(wholeNumberFrom(1))->excludes(count);
      app.add_option("--add-tag", options->addTag, "Tag the images found")->excludes(count);
      app.add_option("--remove-tag", options->removeTag, "Take a tag away")->excludes(count);
      app.add_flag("--json", options->json, "For machines");
      return [options]() -> Result<int> { return runQuery(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
