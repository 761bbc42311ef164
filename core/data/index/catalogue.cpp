// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/catalogue.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/data/index/segment_meta.h"

#include <nlohmann/json.hpp>

namespace roadtune::data {

namespace {

using nlohmann::json;
constexpr int kCatalogueVersion = 1;

std::string dumpLine(const json& value) { return jsonLine(value) + "\n"; }

json problemJson(const Problem& problem) {
  json value = {{"file", problem.file}, {"what", problem.what}, {"done", problem.done}};
  if (problem.offset >= 0) value["offset"] = problem.offset;
  if (!problem.segment.empty()) value["segment"] = problem.segment;
  if (problem.picture) value["picture"] = true;
  return value;
}

Problem problemFrom(const json& value) {
  return {.file = value.at("file").get<std::string>(),
          .offset = value.value("offset", std::int64_t{-1}),
          .segment = value.value("segment", std::string()),
          .what = value.at("what").get<std::string>(),
          .done = value.at("done").get<std::string>(),
          .picture = value.value("picture", false)};
}

Result<Catalogue::Unit> unitFrom(const json& value, const IndexLayout& layout) {
  Catalogue::Unit unit;
  unit.key = value.at("unit").get<std::string>();
  unit.segments = value.at("segments").get<std::vector<std::string>>();
  unit.title = value.value("title", std::string());
  unit.split = value.value("split", std::string());
  for (const std::string& folder : value.value("pictures", std::vector<std::string>()))
    unit.pictures.push_back(pathFrom(folder).string());
  for (const json& source : value.at("sources")) {
    ROADTUNE_TRY(SourceFile parsed, parseSourceFile(source.dump(), layout.catalogue()));
    unit.sources.push_back(std::move(parsed));
  }
  for (const json& problem : value.at("problems")) unit.problems.push_back(problemFrom(problem));
  for (const std::string& stem : unit.segments)
    if (stem.find('/') != std::string::npos) return badInput("names a file outside the index", layout.catalogue());
  return unit;
}

}  // namespace

Result<Catalogue> readCatalogue(const IndexLayout& layout) {
  ROADTUNE_TRY(const std::string text, readFile(layout.catalogue()));
  try {
    const json value = json::parse(text);
    if (value.value("format", std::string()) != "roadtune-index")
      return badInput("is not the catalogue of an index", layout.catalogue().string());
    if (value.value("version", 0) != kCatalogueVersion)
      return badInput("written by another version of the program", layout.catalogue().string(),
                      "run `roadtune data index` again into a fresh folder");
    Catalogue catalogue;
    for (const json& entry : value.at("units")) {
      ROADTUNE_TRY(Catalogue::Unit unit, unitFrom(entry, layout));
      catalogue.units.push_back(std::move(unit));
    }
    if (value.contains("problems"))
      for (const json& problem : value["problems"]) catalogue.problems.push_back(problemFrom(problem));
    return catalogue;
  } catch (const json::exception& error) {
    return badInput(std::string("damaged catalogue: ") + error.what(), layout.catalogue().string(),
                    "run `roadtune data index` again on the same sources");
  }
}

Status writeCatalogue(const IndexLayout& layout, const Catalogue& catalogue) {
  json units = json::array();
  json general = json::array();
  std::string problems;
  for (const Problem& problem : catalogue.problems) {
    general.push_back(problemJson(problem));
    problems += dumpLine(general.back());
  }
  for (const Catalogue::Unit& unit : catalogue.units) {
    json entry = {
        {"unit", unit.key}, {"segments", unit.segments}, {"sources", json::array()}, {"problems", json::array()}};
    if (!unit.title.empty()) entry["title"] = unit.title;
    if (!unit.split.empty()) entry["split"] = unit.split;
    for (const std::string& folder : unit.pictures) entry["pictures"].push_back(writtenPath(folder));
    for (const SourceFile& source : unit.sources) entry["sources"].push_back(json::parse(formatSourceFile(source)));
    for (const Problem& problem : unit.problems) {
      entry["problems"].push_back(problemJson(problem));
      problems += dumpLine(problemJson(problem));
    }
    units.push_back(std::move(entry));
  }
  ROADTUNE_CHECK(writeFileAtomically(layout.problems(), problems));
  return writeFileAtomically(layout.catalogue(), dumpLine({{"format", "roadtune-index"},
                                                           {"version", kCatalogueVersion},
                                                           {"problems", std::move(general)},
                                                           {"units", std::move(units)}}));
}

}  // namespace roadtune::data
