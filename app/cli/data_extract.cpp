// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data extract: one stored picture, byte for byte.
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/data/index/index.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

namespace roadtune::cli {

namespace {

struct ExtractOptions {
  std::string folder, segment, camera, out;
  std::int64_t timestamp = 0;
};

Error noSuchSegment(const data::Index& index, const std::string& wanted) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < index.segmentCount(); ++i) names.push_back(index.segment(i).info().name);
  const std::string nearest = nearestWord(wanted, names);
  return badInput("the index has no segment '" + wanted + "'", index.folder().string(),
                  nearest.empty() ? "`roadtune data query DIR '' --json` lists images" : nearest);
}

// As an export names it; images of COCO, JSONL and VQA files belong to no camera.
std::optional<data::Camera> cameraNamed(const std::string& name) {
  if (lower(name) == lower(data::cameraName(data::Camera::Unknown))) return data::Camera::Unknown;
  return data::cameraFromName(name);
}

Result<int> runExtract(const ExtractOptions& options) {
  ROADTUNE_TRY(const std::shared_ptr<const data::Index> index, data::Index::open(options.folder));
  const std::optional<data::Camera> camera = cameraNamed(options.camera);
  if (!camera)
    return badInput("unknown camera '" + options.camera + "'", "--camera",
                    "FRONT, FRONT_LEFT, FRONT_RIGHT, SIDE_LEFT, SIDE_RIGHT or UNKNOWN");
  if (!index->findSegment(options.segment)) return noSuchSegment(*index, options.segment);
  const std::optional<data::ImageId> image = index->find(options.segment, options.timestamp, *camera);
  if (!image)
    return badInput(fmt::format("segment {} has no image of {} at {}", options.segment, data::cameraName(*camera),
                                options.timestamp),
                    index->folder().string());
  ROADTUNE_TRY(const std::string bytes, index->imageBytes(*image));
  if (options.out == "-") {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
      return systemError("cannot write the picture", "standard output");
    return kExitDone;
  }
  const fs::path out(options.out);
  if (out.has_parent_path()) ROADTUNE_CHECK(makeFolders(out.parent_path()));
  ROADTUNE_CHECK(writeFileAtomically(out, bytes));
  return kExitDone;
}

const Registration kExtract{
    "data extract", "Write one stored picture to a file, unchanged", [](CLI::App& app) -> Action {
      auto options = std::make_shared<ExtractOptions>();
      app.add_option("DIR", options->folder, "Folder of the index")->required();
      app.add_option("--segment", options->segment, "Name of the segment")->required();
      app.add_option("--timestamp", options->timestamp, "Frame, in microseconds")->required()->check(wholeNumber());
      app.add_option("--camera", options->camera,
                     "FRONT, FRONT_LEFT, FRONT_RIGHT, SIDE_LEFT or SIDE_RIGHT; UNKNOWN for images without one")
          ->required();
      app.add_option("--out", options->out, "File to write; - for the standard output")->required();
      return [options]() -> Result<int> { return runExtract(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
