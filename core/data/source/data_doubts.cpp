// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/data_doubts.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/config/problem_at.h"
#include "core/data/source/run_sources.h"
#include "core/policy/batch_plan.h"
#include "core/text/detection_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_set>
#include <utility>

namespace roadtune::data {

namespace {

// True while there is time; asked often, looks at the clock rarely.
class Look {
 public:
  explicit Look(double seconds) : m_until(monotonicSeconds() + seconds) {}
  bool goesOn() { return ++m_asked % 1024 != 0 || monotonicSeconds() < m_until; }

 private:
  double m_until;
  std::size_t m_asked = 0;
};

struct Trained {
  std::unordered_set<std::string> origins;
  std::map<std::string, std::size_t> splits;
};

Trained lookAt(const SampleSource& train, Look& look) {
  Trained seen;
  for (std::size_t i = 0; i < train.size() && look.goesOn(); ++i) {
    seen.origins.insert(train.origin(i));
    if (const std::string split = train.split(i); !split.empty()) ++seen.splits[split];
  }
  return seen;
}

std::vector<Error> aboutSplits(const std::map<std::string, std::size_t>& splits) {
  std::vector<Error> doubts;
  if (!splits.contains("training")) return doubts;
  for (const auto& [split, count] : splits)
    if (split != "training")
      doubts.push_back(badInput(fmt::format("{} of its samples are of the {} split: what is trained on them cannot be "
                                            "compared on that split any more",
                                            formatCount(static_cast<std::int64_t>(count)), split),
                                "train_data", "train_query: split=training"));
  return doubts;
}

// Of the setting that names the data, whatever of it is at fault.
Error about(const char* setting, Error error) {
  if (!error.where.empty()) error.what = error.where + ": " + error.what;
  error.where = setting;
  return error;
}

}  // namespace

Error holdsNothing(const std::string& which, const char* setting, const std::string& query) {
  return badInput("the " + which + " data holds no sample" + (query.empty() ? "" : " that answers '" + query + "'"),
                  setting, "loosen the query, or name another source");
}

std::vector<Error> doubtsAboutClasses(const SampleSource& train) {
  const auto unknown = train.unknownClasses();
  if (unknown.empty()) return {};
  std::vector<std::string> known;
  for (const auto& [name, number] : train.categoryNumbers()) known.push_back(name);
  std::vector<Error> doubts;
  for (const std::string& name : unknown) {
    const std::string near = nearestWord(name, known);
    doubts.push_back(badInput("none of the training data has the class '" + name + "': it is left out", "classes",
                              near.empty() ? "write it as the data does, or remove it" : near));
  }
  return doubts;
}

std::vector<Error> doubtsAboutEvaluation(const SampleSource& train, const SampleSource* eval, double seconds) {
  Look look(seconds);
  const Trained trained = lookAt(train, look);
  std::vector<Error> doubts = aboutSplits(trained.splits);
  std::size_t shared = 0;
  std::string first;
  for (std::size_t i = 0; eval && i < eval->size() && look.goesOn(); ++i) {
    if (!trained.origins.contains(eval->origin(i))) continue;
    if (shared++ == 0) first = eval->group(i);
  }
  if (shared > 0)
    doubts.push_back(badInput(
        fmt::format(
            "{} of its {} samples are of recordings or pictures that are trained on, such as {}: the evaluation "
            "says little about new data",
            formatCount(static_cast<std::int64_t>(shared)), formatCount(static_cast<std::int64_t>(eval->size())),
            first),
        "eval_data",
        "train_query: split=training with eval_query: split=validation, other data, or eval_fraction in place of "
        "eval_data"));
  return doubts;
}

namespace {

// Too few samples for one batch, where those that are not full are dropped.
Status checkBatches(const config::RunConfig& config, const std::shared_ptr<const SampleSource>& train) {
  const auto learnt = learntFrom(config, train);
  if (!learnt.ok() || learnt.value()->size() == 0) return {};  // told by others
  const auto ranks = config.has("nproc_per_node") ? config.integer("nproc_per_node") : 1;
  const auto plan = policy::BatchPlan::make(
      policy::batchSpecOf(config, static_cast<std::int64_t>(learnt.value()->size()), std::max<std::int64_t>(1, ranks)));
  return plan.ok() ? Status() : Status(plan.error());
}

// Lines of questions without answers, mostly because the key is misspelt.
bool nobodyAnswers(const SampleSource& train) {
  constexpr std::size_t kLooked = 20;
  for (std::size_t i = 0; i < std::min(train.size(), kLooked); ++i)
    if (const auto sample = train.text(i, 0); !sample.ok() || sample.value().answered) return false;
  return train.size() > 0;
}

// Why a run would leave it out; nothing of one that it learns from.
std::optional<Error> leftOut(const Result<Sample>& sample) {
  if (!sample.ok()) return sample.error();
  if (!sample.value().answered) return badInput("has no suffix to learn", sample.value().id);
  if (sample.value().suffix.find("<image>") != std::string::npos)
    return badInput("the answer holds <image>, which stands for a picture", sample.value().id);
  return std::nullopt;
}

// Words for a place that are no box would be learnt as they stand.
bool holdsBrokenBoxes(const std::string& answer) {
  if (answer.find("<loc") == std::string::npos || answer.find("<seg") != std::string::npos) return false;
  constexpr int kAnySide = 1024;
  const auto parsed = text::parseDetections(answer, kAnySide, kAnySide);
  return parsed.malformed > 0 ||
         std::any_of(parsed.boxes.begin(), parsed.boxes.end(), [](const text::ParsedBox& box) { return !box.valid; });
}

struct Unfit {
  std::size_t looked = 0, leftOut = 0, broken = 0;
  std::string firstLeftOut, firstBroken;
};

// As far as there is time to look.
Unfit unfitSamples(const SampleSource& train, double seconds) {
  const double end = monotonicSeconds() + seconds;
  Unfit found;
  for (; found.looked < train.size() && monotonicSeconds() < end; ++found.looked) {
    const auto sample = train.text(found.looked, 0);
    if (const auto error = leftOut(sample)) {
      if (found.leftOut++ == 0) found.firstLeftOut = error->where + ": " + error->what;
    } else if (sample.value().boxes.empty() && holdsBrokenBoxes(sample.value().suffix)) {
      if (found.broken++ == 0) found.firstBroken = sample.value().id + ": " + sample.value().suffix;
    }
  }
  return found;
}

std::vector<std::pair<Error, config::Severity>> doubtsAboutSamples(const config::RunConfig& config,
                                                                   const SampleSource& train, double seconds) {
  const auto count = [](std::size_t n) { return formatCount(static_cast<std::int64_t>(n)); };
  const Unfit unfit = unfitSamples(train, seconds);
  std::vector<std::pair<Error, config::Severity>> doubts;
  if (unfit.leftOut > 0)
    doubts.emplace_back(badInput(fmt::format("{} of {} samples cannot be used; the first: {}", count(unfit.leftOut),
                                             count(unfit.looked), unfit.firstLeftOut),
                                 "train_data", "mend them; a step that holds no other sample learns nothing"),
                        config.text("on_bad_sample") == "stop" ? config::Severity::Error : config::Severity::Warning);
  if (unfit.broken > 0)
    doubts.emplace_back(
        badInput(
            fmt::format("{} of {} answers hold words for a place that are no box, and would be learnt; the first: {}",
                        count(unfit.broken), count(unfit.looked), unfit.firstBroken),
            "train_data", "a box is four words from <loc0000> to <loc1023>, and a name"),
        config::Severity::Warning);
  return doubts;
}

}  // namespace

std::vector<config::Problem> dataDoubts(const config::RunConfig& config, double seconds) {
  const auto trained = thoseOpenAtOnce(trainingSources(config)), evaluated = evaluationSources(config);
  const bool whole = trained.size() == trainingSources(config).size();  // else only what can be told of a part is told
  std::vector<config::Problem> problems;
  const auto tell = [&](const Error& error, config::Severity severity) {
    problems.push_back(config::problemAt(config, error.where, error, severity));
  };
  if (trained.empty()) return problems;
  auto opened = openMix(trained, trainingTask(config));
  if (!opened.ok()) {
    tell(about("train_data", opened.error()), config::Severity::Error);
    return problems;
  }
  const std::shared_ptr<const SampleSource> train = std::move(opened).value();
  if (whole && train->size() == 0)
    tell(holdsNothing("training", "train_data", config.text("train_query")), config::Severity::Error);
  if (nobodyAnswers(*train))
    tell(badInput("its samples have no suffix: there is nothing to learn", "train_data",
                  "an empty suffix is an answer, too"),
         config::Severity::Error);
  else
    for (const auto& [error, severity] : doubtsAboutSamples(config, *train, seconds / 5)) tell(error, severity);
  for (const Error& doubt : doubtsAboutClasses(*train)) tell(doubt, config::Severity::Warning);
  if (const auto held = whole ? holdOutOf(config) : std::nullopt)
    if (const auto kept = splitByGroup(train, held->share, held->seed, SplitPart::Kept); !kept.ok())
      tell(kept.error(), config::Severity::Error);
  if (const Status batches = whole ? checkBatches(config, train) : Status(); !batches.ok())
    tell(batches.error(), config::Severity::Error);
  std::unique_ptr<SampleSource> eval;
  if (openAtOnce(evaluated)) {
    auto other = openMix(evaluated, trainingTask(config));
    if (other.ok() && other.value()->size() == 0)
      tell(holdsNothing("evaluation", "eval_data", config.text("eval_query")),
           config.text("eval_strategy") == "no" ? config::Severity::Warning : config::Severity::Error);
    if (other.ok())
      eval = std::move(other).value();
    else
      tell(about("eval_data", other.error()), config::Severity::Error);
  }
  for (const Error& doubt : doubtsAboutEvaluation(*train, eval.get(), seconds)) tell(doubt, config::Severity::Warning);
  return problems;
}

}  // namespace roadtune::data
