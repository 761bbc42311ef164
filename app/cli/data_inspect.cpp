// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data inspect: what a folder or a bucket holds, before anything is imported.
#include "app/cli/command.h"
#include "app/cli/data_readers.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/data/index/recognise.h"
#include "core/data/index/waymo_license.h"
#include "core/data/storage/storage.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>

namespace roadtune::cli {

namespace {

struct InspectOptions {
  std::vector<std::string> sources;
  bool json = false;
};

std::string inspectJson(const data::Recognised& found) {
  using Value = nlohmann::ordered_json;
  Value formats = Value::array(), problems = Value::array();
  for (const data::RecognisedFormat& one : found.formats)
    formats.push_back({{"format", one.format},
                       {"recordings", one.recordings},
                       {"files", one.files},
                       {"bytes", one.bytes},
                       {"splits", one.splits},
                       {"waymo", one.waymo}});
  for (const data::Problem& problem : found.problems)
    problems.push_back({{"file", problem.file}, {"what", problem.what}, {"done", problem.done}});
  const Value value = {{"formats", formats},
                       {"problems", problems},
                       {"contains_waymo_data", found.waymo()},
                       {"waymo_license_accepted", data::waymoLicenseAccepted()}};
  return jsonLine(value) + "\n";
}

std::string splitText(const std::map<std::string, std::size_t>& splits) {
  std::string text;
  for (const auto& [name, count] : splits)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name.empty() ? "no split" : name, count);
  return text;
}

void printFound(const data::Recognised& found) {
  const auto count = [](std::size_t n) { return formatCount(static_cast<std::int64_t>(n)); };
  for (const data::RecognisedFormat& one : found.formats)
    fmt::print("{:<10} {} in {} files, {} ({})\n", one.format, count(one.recordings), count(one.files),
               formatBytes(static_cast<double>(one.bytes)), splitText(one.splits));
  if (found.waymo())
    fmt::print("Waymo's licence applies; it was {}accepted\n", data::waymoLicenseAccepted() ? "" : "not yet ");
}

struct Amount {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};
using Kinds = std::map<std::string, Amount>;  // "tfrecord", "parquet", "pictures", ..., "other"

std::string kindOf(const std::string& name) {
  const std::string file = lower(name.substr(name.find_last_of('/') + 1));
  if (file.find(".tfrecord") != std::string::npos) return "tfrecord";
  const std::size_t dot = file.find_last_of('.');
  const std::string ending = dot == std::string::npos ? std::string() : file.substr(dot + 1);
  for (const char* picture : {"jpg", "jpeg", "png", "webp"})
    if (ending == picture) return "pictures";
  for (const char* known : {"parquet", "json", "jsonl", "tar"})
    if (ending == known) return ending;
  return "other";
}

// What lies in the buckets, by the names of the objects alone: nothing is fetched.
Result<Kinds> listBuckets(const std::vector<std::string>& sources) {
  Kinds kinds;
  for (const std::string& source : sources) {
    ROADTUNE_TRY(const data::Location location, data::parseLocation(source));
    ROADTUNE_TRY(const auto storage, data::Storage::open(location));
    ROADTUNE_TRY(const auto objects, storage->list(location));
    if (objects.empty()) return badInput("nothing lies there", source, "check bucket and prefix");
    for (const data::StoredObject& object : objects) {
      Amount& amount = kinds[kindOf(object.name.empty() ? source : object.name)];
      ++amount.files;
      amount.bytes += object.bytes;
    }
  }
  return kinds;
}

Result<int> inspectBuckets(const InspectOptions& options) {
  ROADTUNE_TRY(const Kinds kinds, listBuckets(options.sources));
  nlohmann::ordered_json objects = nlohmann::ordered_json::array();
  for (const auto& [kind, amount] : kinds) {
    objects.push_back({{"kind", kind}, {"files", amount.files}, {"bytes", amount.bytes}});
    if (!options.json)
      fmt::print("{:<10} {} objects, {}\n", kind, formatCount(static_cast<std::int64_t>(amount.files)),
                 formatBytes(static_cast<double>(amount.bytes)));
  }
  if (options.json) fmt::print("{}\n", jsonLine(nlohmann::ordered_json{{"objects", objects}}));
  return kExitDone;
}

Result<int> runInspect(const InspectOptions& options) {
  const auto addresses = std::count_if(options.sources.begin(), options.sources.end(), isUrl);
  if (addresses == static_cast<std::ptrdiff_t>(options.sources.size())) return inspectBuckets(options);
  if (addresses > 0) return badInput("folders and buckets are looked at separately", "SRC", "name one kind at a time");
  const data::Recognised found = data::recognise({options.sources.begin(), options.sources.end()}, dataReaders());
  if (options.json)
    fmt::print("{}", inspectJson(found));
  else
    printFound(found);
  if (!options.json)
    for (const data::Problem& problem : found.problems) fmt::print(stderr, "{}\n", problem.line());
  return found.formats.empty() ? kExitBadInput : kExitDone;
}

const Registration kInspect{
    "data inspect", "What a folder or a bucket holds, before it is imported", [](CLI::App& app) -> Action {
      auto options = std::make_shared<InspectOptions>();
      app.add_option("SRC", options->sources, "Files and folders, or s3:// and gs:// addresses, as for data index")
          ->required();
      app.add_flag("--json", options->json, "For machines");
      return [options]() -> Result<int> { return runInspect(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
