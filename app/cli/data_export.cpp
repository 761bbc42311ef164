// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data export: an index, or a part of it, in other formats.
#include "app/cli/command.h"
#include "app/cli/export_to_storage.h"
#include "app/cli/number_checks.h"
#include "core/base/counted.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/data/export/export.h"
#include "core/data/export/hold_out.h"
#include "core/data/index/class_list.h"
#include "core/data/query/query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <memory>
#include <optional>

namespace roadtune::cli {

namespace fs = std::filesystem;

namespace {

struct ExportOptions {
  std::string folder, format, query, images, out, classes, progress;
  data::ExportRequest request;
  double holdOut = 0;
  std::uint64_t seed = 42;
  bool json = false;
};

Result<std::vector<data::ImageId>> chosenImages(const std::shared_ptr<const data::Index>& index,
                                                const std::string& text) {
  ROADTUNE_TRY(const data::Query query, data::Query::parse(text));
  data::QueryEngine engine(index);
  if (query.asksForUserData()) {
    ROADTUNE_TRY(const auto user, data::UserData::openWritten(*index));
    if (user) ROADTUNE_CHECK(engine.setUserData(*user));
  }
  ROADTUNE_TRY(data::QueryResult result, engine.run(query));
  return std::move(result.images);
}

// What the user may not have expected, also where the rest is for machines.
void warn(const data::ExportOutcome& outcome, const ExportOptions& options) {
  if (outcome.withoutPicture > 0)
    fmt::print(stderr, "{} could not be read, {}: {}{} ({}); `roadtune data info {}` looks at the sources\n",
               counted(outcome.withoutPicture, "picture"),
               options.images.empty() ? "so they have no sha256" : "so their images were left out",
               join(outcome.unreadable, ", "), outcome.unreadable.size() < outcome.withoutPicture ? ", ..." : "",
               outcome.whyUnreadable, options.folder);
  if (outcome.damagedPictures > 0)
    fmt::print(stderr, "{}: {}{}; `roadtune data info {}` tells what is wrong with them\n",
               counted(outcome.damagedPictures, "damaged picture was ", "damaged pictures were ") +
                   (outcome.damagedLeftOut ? "left out" : "written as they are"),
               join(outcome.damaged, ", "), outcome.damaged.size() < outcome.damagedPictures ? ", ..." : "",
               options.folder);
  if (outcome.boxesWithoutArea > 0)
    fmt::print(stderr, "{}\n",
               counted(outcome.boxesWithoutArea, "box was left out because nothing of it shows in its picture",
                       "boxes were left out because nothing of them shows in their pictures"));
  if (outcome.boxes == 0 && !outcome.otherClasses.empty()) {
    const std::vector<std::string> names(outcome.otherClasses.begin(), outcome.otherClasses.end());
    const std::string typed = data::typedNames(names);
    const char quote = typed.find('"') == std::string::npos ? '"' : '\'';
    fmt::print(stderr, "no box was written: the images have boxes of other classes (try: --classes {1}{0}{1})\n", typed,
               quote);
  } else if (options.classes.empty() && !outcome.otherClasses.empty()) {
    fmt::print(stderr, "boxes of other classes were left out: {} (--classes names those to write)\n",
               fmt::join(outcome.otherClasses, ", "));
  }
  if (!outcome.otherWords.empty()) {
    std::vector<std::string> words;
    for (const auto& [name, word] : outcome.otherWords) words.push_back(name + " is written as " + word);
    fmt::print(stderr, "{} has other words for some classes: {}\n", options.format, join(words, ", "));
  }
}

// A file or folder that was written.
struct Written {
  std::string file;
  std::size_t images = 0, boxes = 0;
};

void print(const data::ExportOutcome& outcome, const std::vector<Written>& parts, const ExportOptions& options) {
  warn(outcome, options);
  if (options.json) {
    fmt::print(
        "{{\"images\":{},\"boxes\":{},\"crowd_regions\":{},\"without_labels\":{},\"without_picture\":{},"
        "\"damaged_pictures\":{},\"boxes_without_area\":{},\"contains_waymo_data\":{}}}\n",
        outcome.images, outcome.boxes, outcome.crowds, outcome.withoutLabels, outcome.withoutPicture,
        outcome.damagedPictures, outcome.boxesWithoutArea, outcome.waymo);
    return;
  }
  for (const Written& part : parts)
    fmt::print(stderr, "{} with {}: {}\n", counted(part.images, "image"), counted(part.boxes, "box", "boxes"),
               part.file);
  if (const std::size_t written = outcome.crowds - outcome.crowdsLeftOut; written > 0)
    fmt::print(stderr, "{} {}\n", counted(written, "crowd region"),
               options.format == "coco" ? "with iscrowd 1" : "as DontCare");
  if (outcome.crowdsLeftOut > 0)
    fmt::print(stderr, "{} left out: {} has no word for them\n", counted(outcome.crowdsLeftOut, "crowd region"),
               options.format);
  const std::map<std::string, std::string> alsoWhy = {
      {"paligemma", ", because their size is not known, or because they show crowds only"},
      {"yolo", ", or because their size is not known"},
      {"voc", ", or because their size is not known"}};
  const auto also = alsoWhy.find(options.format);
  if (outcome.withoutLabels > 0)
    fmt::print(stderr, "{}{}\n",
               counted(outcome.withoutLabels, "image was left out because nobody labelled it",
                       "images were left out because nobody labelled them"),
               also == alsoWhy.end() ? "" : also->second);
}

// "all.json" -> "all-training.json", or a folder below.
std::filesystem::path partOf(std::filesystem::path out, data::ExportFormat format, const std::string& part) {
  if (data::writesFolder(format)) return out / part;
  return out.replace_filename(out.stem().string() + "-" + part + out.extension().string());
}

Result<data::ExportOutcome> exportParts(const data::Index& index, std::vector<data::ImageId> images,
                                        const data::ExportRequest& request, const ExportOptions& options,
                                        std::vector<Written>& parts, ProgressSink& progress) {
  const auto whole = [&](Result<data::ExportOutcome> made) {
    if (made.ok()) parts.push_back({options.out, made.value().images, made.value().boxes});
    return made;
  };
  if (options.holdOut <= 0) return whole(data::exportImages(index, std::move(images), request, progress));
  auto [kept, heldOut] = data::holdOutGroups(index, images, options.holdOut, options.seed);
  if (heldOut.empty() || kept.empty())
    return badInput("the images are of one recording, which cannot be split", "--hold-out", "import more recordings");
  data::ExportRequest part = request;
  if (request.format == data::ExportFormat::Yolo) {  // its data.yaml names both
    part.heldOut.emplace(heldOut.begin(), heldOut.end());
    return whole(data::exportImages(index, std::move(images), part, progress));
  }
  data::PictureNames names;
  if (!request.images.empty()) part.names = &names;  // the pictures of both go to one folder
  data::ExportOutcome all;
  for (auto& [name, chosen] : {std::pair("training", &kept), std::pair("validation", &heldOut)}) {
    part.out = partOf(request.out, request.format, name);
    ROADTUNE_TRY(const data::ExportOutcome one, data::exportImages(index, std::move(*chosen), part, progress));
    parts.push_back({partOf(options.out, request.format, name).string(), one.images, one.boxes});
    all.add(one);
  }
  return all;
}

Result<int> runExport(const ExportOptions& options) {
  data::ExportRequest request = options.request;
  ROADTUNE_TRY(request.format, data::parseExportFormat(options.format));
  if (request.hash && request.format != data::ExportFormat::Jsonl)
    fmt::print(stderr, "warning: --hash: only jsonl has a place for it\n");
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  for (const std::string* target : {&options.out, &options.images})
    if (*target == "-")
      return badInput("an export is not written to the standard output", target == &options.out ? "--out" : "--images",
                      "the name of a file or folder; ./- for one that is called -");
  ROADTUNE_TRY(std::optional<ExportToStorage> storage, ExportToStorage::make(options.out, options.images));
  request.out = storage ? storage->out() : fs::path(options.out);
  request.images = storage ? storage->images() : fs::path(options.images);
  request.classes = data::namesIn(options.classes);
  ROADTUNE_TRY(const std::shared_ptr<const data::Index> index, data::Index::open(options.folder));
  ROADTUNE_TRY(std::vector<data::ImageId> images, chosenImages(index, options.query));
  Interrupt::install();
  const std::unique_ptr<ProgressSink> progress = makeProgressSink(style);
  std::vector<Written> parts;
  ROADTUNE_TRY(const data::ExportOutcome outcome,
               exportParts(*index, std::move(images), request, options, parts, *progress));
  if (storage) ROADTUNE_CHECK(storage->upload(*progress));
  print(outcome, parts, options);
  return kExitDone;
}

const Registration kExport{
    "data export", "Write images and boxes in another format", [](CLI::App& app) -> Action {
      auto options = std::make_shared<ExportOptions>();
      app.add_option("DIR", options->folder, "Folder of the index")->required();
      app.add_option("--format", options->format, "jsonl, coco, yolo, kitti, voc, paligemma or waymo-objects")
          ->required();
      app.add_option("--out", options->out,
                     "File (jsonl, coco, paligemma, waymo-objects) or folder; also s3:// and gs://")
          ->required();
      app.add_option("--query", options->query, "Which images; all when not given");
      app.add_option("--images", options->images, "Also write the pictures, unchanged, to this folder");
      app.add_flag("--hash", options->request.hash, "jsonl: SHA-256 of each picture");
      app.add_option("--classes", options->classes,
                     "Only these, separated by commas; one with a comma in it in double quotes");
      app.add_option("--min-box-px", options->request.minBoxPixels, "Shorter side in the picture")
          ->check(notNegative());
      app.add_option("--min-model-px", options->request.minModelPixels, "Shorter side at the model's size")
          ->check(notNegative());
      app.add_option("--model-size", options->request.modelSize, "224, 448 or 896")->check(wholeNumberFrom(1));
      app.add_option("--max-level", options->request.maxLevel, "1 leaves out LEVEL_2 boxes")->check(CLI::Range(1, 2));
      app.add_option("--every", options->request.everyFrames, "Only every n-th frame of a segment")
          ->check(wholeNumberFrom(1));
      app.add_option(
             "--hold-out", options->holdOut,
             "Share of the recordings, or of pictures that belong to none, that go into a second, validation export")
          ->check(finiteNumber())
          ->check(CLI::Range(0.0, 0.9));
      app.add_option("--seed", options->seed, "Which segments are held out")
          ->capture_default_str()
          ->check(wholeNumberFrom(0));
      app.add_option("--progress", options->progress, "json, bar or none");
      app.add_flag("--json", options->json, "Print what was written as JSON");
      return [options]() -> Result<int> { return runExport(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
