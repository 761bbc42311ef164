// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data info: what an index holds.
#include "app/cli/command.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/base/units.h"
#include "core/data/index/index.h"
#include "core/data/index/statistics.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace roadtune::cli {

namespace {

using nlohmann::json;

struct InfoOptions {
  std::string folder;
  bool json = false;
};

json problemsJson(const std::vector<data::Problem>& problems) {
  json list = json::array();
  for (const data::Problem& problem : problems) {
    json entry = {{"file", problem.file}, {"what", problem.what}, {"done", problem.done}};
    if (problem.offset >= 0) entry["offset"] = problem.offset;
    if (!problem.segment.empty()) entry["segment"] = problem.segment;
    list.push_back(std::move(entry));
  }
  return list;
}

json infoJson(const data::Index& index, const data::IndexStatistics& s, const std::vector<data::Problem>& problems) {
  json tiny;
  for (const auto& [side, count] : s.tinyAt) tiny[std::to_string(side)] = count;
  return {{"segments", s.segments},
          {"frames", s.frames},
          {"images", s.images},
          {"boxes", s.boxes},
          {"boxes_per_class", s.boxesPerClass},
          {"cameras", s.cameras},
          {"splits", s.splits},
          {"segments_per_split", s.segmentsPerSplit},
          {"time_of_day", s.times},
          {"location", s.locations},
          {"weather", s.weathers},
          {"formats", s.formats},
          {"labelled", s.labelled},
          {"unlabelled", s.unlabelled},
          {"empty", s.empty},
          {"unavailable", s.unavailable},
          {"level_2", s.hard},
          {"crowd_regions", s.crowds},
          {"two_pixels_or_less", s.underTwoPixels},
          {"touching_border", s.touchingBorder},
          {"below_8_model_pixels", tiny},
          {"contains_waymo_data", index.containsWaymoData()},
          {"problems", problemsJson(problems)}};
}

std::string count(std::size_t value) { return formatCount(static_cast<std::int64_t>(value)); }

void printCounts(const std::string& title, const std::map<std::string, std::size_t>& counts) {
  std::string line;
  for (const auto& [name, number] : counts)
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", name, count(number));
  fmt::print("{:<12}{}\n", title, line);
}

void printText(const data::Index& index, const data::IndexStatistics& s, const std::vector<data::Problem>& problems) {
  fmt::print("{}, {}, {}, {}\n", counted(s.segments, "segment"), counted(s.frames, "frame"), counted(s.images, "image"),
             counted(s.boxes, "box", "boxes"));
  printCounts("boxes", s.boxesPerClass);
  if (s.crowds > 0) fmt::print("{:<12}{}, to ignore: no boxes to learn\n", "", counted(s.crowds, "crowd region"));
  printCounts("cameras", s.cameras);
  printCounts("splits", s.splits);
  printCounts("time of day", s.times);
  printCounts("location", s.locations);
  printCounts("weather", s.weathers);
  fmt::print("{:<12}{} labelled ({} of them empty), {} not labelled\n", "images", count(s.labelled), count(s.empty),
             count(s.unlabelled));
  for (const auto& [side, number] : s.tinyAt)
    fmt::print("{:<12}{} boxes ({:.1f} %) have a side below 8 px at {} px\n", side == 224 ? "tiny" : "", count(number),
               s.boxes ? 100.0 * static_cast<double>(number) / static_cast<double>(s.boxes) : 0.0, side);
  if (index.containsWaymoData()) fmt::print("{:<12}contains Waymo data: non-commercial use only\n", "licence");
  fmt::print("{:<12}{}\n", "problems", count(problems.size()));
  for (const data::Problem& problem : problems) fmt::print("  {}\n", problem.line());
}

Result<int> runInfo(const InfoOptions& options) {
  ROADTUNE_TRY(const std::shared_ptr<const data::Index> index, data::Index::open(options.folder));
  ROADTUNE_CHECK(index->verify());
  std::vector<data::Problem> problems = index->problems();
  for (data::Problem& problem : index->checkSources()) {
    fmt::print(stderr, "{}\n", problem.line());
    problems.push_back(std::move(problem));
  }
  const data::IndexStatistics statistics = data::measureIndex(*index);
  if (options.json)
    fmt::print("{}\n", jsonText(infoJson(*index, statistics, problems)));
  else
    printText(*index, statistics, problems);
  return kExitDone;
}

const Registration kInfo{"data info", "What an index holds", [](CLI::App& app) -> Action {
                           auto options = std::make_shared<InfoOptions>();
                           app.add_option("DIR", options->folder, "Folder of the index")->required();
                           app.add_flag("--json", options->json, "For machines");
                           return [options]() -> Result<int> { return runInfo(*options); };
                         }};

}  // namespace
}  // namespace roadtune::cli
