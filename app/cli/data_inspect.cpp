// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data inspect: what a folder holds, before anything is imported.
#include "app/cli/command.h"
#include "app/cli/data_readers.h"
#include "core/base/units.h"
#include "core/data/index/recognise.h"
#include "core/data/index/waymo_license.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
  return value.dump(-1, ' ', false, Value::error_handler_t::replace) + "\n";
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

Result<int> runInspect(const InspectOptions& options) {
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
    "data inspect", "What a folder holds, before it is imported", [](CLI::App& app) -> Action {
      auto options = std::make_shared<InspectOptions>();
      app.add_option("SRC", options->sources, "Files or folders, as for data index")->required();
      app.add_flag("--json", options->json, "For machines");
      return [options]() -> Result<int> { return runInspect(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
