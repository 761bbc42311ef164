// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data synth: drawn street scenes in the formats of real recordings.
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/data/formats/waymo_v2_sink.h"
#include "core/data/synth/damage.h"
#include "core/data/synth/flat_sinks.h"
#include "core/data/synth/generate.h"
#include "core/data/synth/waymo_v1_sink.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>

namespace roadtune::cli {

namespace {

struct SynthCommand {
  data::SynthOptions options;
  std::string out, format = "waymo-v1", split, cameras, time, weather, corrupt, progress, codec = "brotli";
  int rowGroup = 250;
  bool json = false;
};

Result<std::vector<data::Camera>> camerasFrom(const std::string& text) {
  std::vector<data::Camera> cameras;
  for (const std::string& word : split(text, ',')) {
    const auto camera = data::cameraFromName(trim(word));
    if (!camera || !data::isIndexedCamera(static_cast<int>(*camera)))
      return badInput(fmt::format("there is no camera '{}'", word), "--cameras",
                      "front, front_left, front_right, side_left, side_right");
    cameras.push_back(*camera);
  }
  return cameras;
}

// The words people type for the words of the dataset.
Result<std::string> dayPartFrom(const std::string& word) {
  const std::string low = lower(word);
  if (low.empty()) return std::string();
  if (low == "day") return std::string("Day");
  if (low == "dawn" || low == "dusk" || low == "dawn/dusk") return std::string("Dawn/Dusk");
  if (low == "night") return std::string("Night");
  return badInput(fmt::format("there is no time of day '{}'", word), "--time", "day, dusk or night");
}

Result<std::unique_ptr<data::SynthSink>> wholeSink(const SynthCommand& command) {
  const std::filesystem::path out = command.out;
  if (command.format == "waymo-v1") return data::makeWaymoV1Sink(command.split.empty() ? out : out / command.split);
  if (command.format == "waymo-v2") {
    data::WaymoV2WriteOptions options;
    if (!command.split.empty()) options.split = command.split;
    options.codec = command.codec;
    options.imageRowGroup = command.rowGroup;
    return data::makeWaymoV2Sink(out, options);
  }
  if (command.format == "coco") return data::makeCocoSink(out);
  if (command.format == "jsonl") return data::makeJsonlSink(out);
  return badInput(fmt::format("there is no format '{}'", command.format), "--format",
                  "waymo-v1, waymo-v2, coco or jsonl");
}

Result<std::unique_ptr<data::SynthSink>> sinkFor(const SynthCommand& command) {
  if (command.split.find('/') != std::string::npos || command.split.starts_with('.'))
    return badInput("the name of a split is that of one folder in --out", "--split " + command.split, "training");
  const auto corruption = data::corruptionFromName(command.corrupt);
  if (!corruption)
    return badInput(fmt::format("there is no damage '{}'", command.corrupt), "--corrupt", data::kCorruptionNames);
  if (*corruption == data::Corruption::MissingFile && command.format == "waymo-v1")
    return badInput("a waymo-v1 recording is one file", "--corrupt missing-file",
                    "--format waymo-v2, coco or jsonl, or --corrupt missing-camera");
  ROADTUNE_TRY(auto sink, wholeSink(command));
  return data::makeDamagedSink(std::move(sink), command.out, *corruption);
}

Result<int> runSynth(SynthCommand& command) {
  if (!command.cameras.empty()) {
    ROADTUNE_TRY(command.options.cameras, camerasFrom(command.cameras));
  }
  ROADTUNE_TRY(command.options.timeOfDay, dayPartFrom(command.time));
  command.options.weather = lower(command.weather);
  if (!command.weather.empty() && command.options.weather != "sunny" && command.options.weather != "rain")
    return badInput(fmt::format("there is no weather '{}'", command.weather), "--weather", "sunny or rain");
  ROADTUNE_TRY(const auto sink, sinkFor(command));
  ROADTUNE_TRY(const auto style, parseProgressStyle(command.progress));
  Interrupt::install();
  const auto progress = makeProgressSink(style, [] { return Interrupt::requested(); });
  ROADTUNE_TRY(const auto counts, data::generateSynth(command.options, *sink, *progress));
  if (command.json) {
    const nlohmann::ordered_json line = {{"out", command.out},          {"format", command.format},
                                         {"segments", counts.segments}, {"frames", counts.frames},
                                         {"images", counts.images},     {"boxes", counts.boxes}};
    fmt::print("{}\n", jsonLine(line));
  } else {
    fmt::print("{}, {}, {}, {} written to {}\n", counted(counts.segments, "segment"), counted(counts.frames, "frame"),
               counted(counts.images, "image"), counted(counts.boxes, "box", "boxes"), command.out);
  }
  return static_cast<int>(kExitDone);
}

constexpr int kMost = std::numeric_limits<int>::max();

const Registration kSynth{
    "data synth", "Draw street scenes in the formats of real recordings", [](CLI::App& app) -> Action {
      auto c = std::make_shared<SynthCommand>();
      app.add_option("--out", c->out, "Folder to write to")->required();
      app.add_option("--format", c->format, "waymo-v1, waymo-v2, coco or jsonl")->capture_default_str();
      app.add_option("--segments", c->options.segments, "Number of recordings")
          ->capture_default_str()
          ->check(wholeNumberFrom(1, kMost));
      app.add_option("--frames", c->options.frames, "Frames of each, ten a second")
          ->capture_default_str()
          ->check(wholeNumberFrom(1, kMost));
      app.add_option("--seed", c->options.seed, "Equal seeds give equal files")
          ->capture_default_str()
          ->check(wholeNumberFrom(0));
      app.add_option("--scale", c->options.scale, "Of 1920x1280 and 1920x886 pixels")
          ->capture_default_str()
          ->check(positiveNumber());
      app.add_option("--split", c->split, "Name of the split, as a folder (waymo-v2: training)");
      app.add_option("--cameras", c->cameras, "Some of front,front_left,front_right,side_left,side_right");
      app.add_option("--time", c->time, "day, dusk or night (by chance)");
      app.add_option("--weather", c->weather, "sunny or rain (by chance)");
      app.add_option("--quality", c->options.quality, "Of the JPEGs")->capture_default_str()->check(CLI::Range(1, 100));
      app.add_option("--corrupt", c->corrupt, std::string("Damage to put in: ") + data::kCorruptionNames);
      app.add_option("--codec", c->codec, "waymo-v2: none, brotli, snappy, zstd or gzip")->capture_default_str();
      app.add_option("--row-group", c->rowGroup, "waymo-v2: pictures in a row group")
          ->capture_default_str()
          ->check(wholeNumberFrom(1));
      app.add_option("--jobs", c->options.jobs, "Threads; 0: one per processor")->check(wholeNumberFrom(0));
      app.add_option("--progress", c->progress, "json, bar or none");
      app.add_flag("--json", c->json, "Print the counts as JSON");
      return [c] { return runSynth(*c); };
    }};

}  // namespace

}  // namespace roadtune::cli
