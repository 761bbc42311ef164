// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data quality: what an index means for training.
#include "app/cli/command.h"
#include "app/cli/data_quality_print.h"
#include "app/cli/number_checks.h"
#include "core/base/progress.h"
#include "core/data/index/statistics.h"
#include "core/data/source/sample_source.h"
#include "core/model/pali_config.h"
#include "core/model/processor_config.h"

#include <fmt/format.h>

#include <memory>

namespace roadtune::cli {

namespace {

struct QualityOptions {
  std::string folder, query, tokenizer, progress;
  int modelSize = 0, distance = 6, jobs = 0;
  std::size_t maxLength = 0, samples = 20'000;
  double minBox = 0;
  bool pictures = false, json = false, nameCut = false;
};

// Picture tokens: of the size that was asked for, else of the model the tokenizer belongs to.
int imageTokensFor(const QualityOptions& options) {
  constexpr int kSmallest = 224;
  if (options.modelSize == 0)
    if (const auto processor = model::ProcessorConfig::fromFolder(options.tokenizer); processor.ok())
      return processor.value().imageTokens;
  return model::imageTokensAt(options.modelSize > 0 ? options.modelSize : kSmallest);
}

Result<data::TokenLengths> measureTokens(const QualityOptions& options, ProgressSink& progress) {
  ROADTUNE_TRY(const text::Tokenizer tokenizer, text::Tokenizer::load(options.tokenizer));
  data::SourceSpec spec;
  spec.path = options.folder;
  spec.query = options.query;
  data::TaskTemplate task;
  task.minBoxPx = options.minBox;
  ROADTUNE_TRY(const std::unique_ptr<data::SampleSource> source, data::openSource(spec, task));
  const data::TokenLengthOptions lengths{.imageTokens = imageTokensFor(options),
                                         .maxLength = options.maxLength,
                                         .most = options.samples,
                                         .jobs = options.jobs,
                                         .nameCut = options.nameCut};
  return data::measureTokenLengths(*source, tokenizer, lengths, progress);
}

Result<int> runQuality(const QualityOptions& options) {
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  if (options.tokenizer.empty() && (options.maxLength > 0 || !options.query.empty()))
    return badInput("--max-length and --query are about token lengths", "--tokenizer",
                    "add --tokenizer with the folder of a model");
  ROADTUNE_TRY(const std::shared_ptr<const data::Index> index, data::Index::open(options.folder));
  Interrupt::install();
  const std::unique_ptr<ProgressSink> progress = makeProgressSink(style, [] { return Interrupt::requested(); });
  std::vector<int> sides(data::kModelSides.begin(), data::kModelSides.end());
  if (options.modelSize > 0) sides = {options.modelSize};
  QualityReport report;
  report.labels = data::measureLabels(*index, sides);
  report.stationary = data::findStationary(*index);
  if (options.pictures) {
    ROADTUNE_TRY(report.duplicates, data::findNearDuplicates(*index, options.distance, options.jobs, *progress));
  }
  if (!options.tokenizer.empty()) {
    ROADTUNE_TRY(report.tokens, measureTokens(options, *progress));
  }
  const std::string text = options.json ? qualityJson(*index, report) : qualityText(*index, report);
  fmt::print("{}", text);
  return kExitDone;
}

const Registration kQuality{
    "data quality", "What the labels and pictures of an index mean for training", [](CLI::App& app) -> Action {
      auto options = std::make_shared<QualityOptions>();
      app.add_option("DIR", options->folder, "Folder of the index")->required();
      app.add_option("--model-size", options->modelSize, "224, 448 or 896; all three when not given")
          ->check(CLI::IsMember({224, 448, 896}));
      app.add_option("--tokenizer", options->tokenizer, "Folder of a model: count the tokens of what it would learn");
      app.add_option("--max-length", options->maxLength, "Tokens of a sample, the picture's included, as in a run")
          ->check(wholeNumberFrom(1));
      app.add_option("--query", options->query, "Images whose tokens are counted; all when not given");
      app.add_option("--min-box-px", options->minBox, "Smaller boxes are left out of the answers that are counted")
          ->check(notNegative());
      app.add_option("--samples", options->samples, "Samples to count, evenly spread; 0: all")
          ->capture_default_str()
          ->check(wholeNumberFrom(0));
      app.add_flag("--name-cut", options->nameCut, "With --json: also name the samples that --max-length would cut");
      app.add_flag("--pictures", options->pictures, "Also look for pictures that are nearly the same (reads them all)");
      app.add_option("--distance", options->distance, "Bits in which near-duplicates may differ")
          ->check(CLI::Range(0, 15))
          ->capture_default_str();
      app.add_option("--jobs", options->jobs, "Threads; 0: one per processor")->check(wholeNumberFrom(0));
      app.add_option("--progress", options->progress, "json, bar or none");
      app.add_flag("--json", options->json, "For machines");
      return [options]() -> Result<int> { return runQuality(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
