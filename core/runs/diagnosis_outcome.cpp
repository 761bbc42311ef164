// SPDX-License-Identifier: GPL-3.0-or-later
// How the run went and ended: its loss, its receipt, its last words.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/policy/divergence.h"
#include "core/runs/diagnosis.h"
#include "core/runs/loss_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace roadtune::runs {

namespace {

constexpr const char* kGentler = "a lower learning_rate, more warmup_steps, or max_grad_norm: 1.0";

// What a log tells of a failure, rather than the program's last word.
void explain(const RunStore& store, Verdict& verdict) {
  const bool told = store.end() && store.end()->culprit >= 0;  // then what the others suffered is no news
  bool consequence = true;
  for (const int rank : store.logRanks()) {
    const auto known = explainLog(store.logOfThisLife(rank));
    if (!known || !consequence || (known->consequence && (told || verdict.id != "failed"))) continue;
    verdict = {known->id, VerdictLevel::Critical, known->title, fmt::format("rank {}: {}", rank, known->line),
               known->advice};
    consequence = known->consequence;
  }
  if (verdict.id != "failed") return;
  if (const auto known = explainLog({verdict.evidence}); known && !known->consequence)  // where no log could be written
    verdict = {known->id, VerdictLevel::Critical, known->title, verdict.evidence, known->advice};
}

std::string goOn(const RunStore& store) {
  return store.checkpoints().empty() ? "there is no checkpoint yet: start it again with overwrite_output_dir: true"
                                     : "roadtune resume goes on from the last complete checkpoint";
}

void checkEnd(const RunStore& store, Diagnosis& diagnosis) {
  const RunState state = store.state();
  const EndInfo* end = store.end();
  if (state == RunState::Lost) {
    const bool told = end && !end->message.empty();
    if (!told && isDiskFull(store.folder()))  // nobody could write how the run ended
      diagnosis.verdicts.push_back({"disk-full",
                                    VerdictLevel::Critical,
                                    "The disk of the run is full",
                                    "how the run ended could not be written",
                                    "free some space; " + goOn(store),
                                    {},
                                    true});
    diagnosis.verdicts.push_back(
        {"lost",
         VerdictLevel::Critical,
         told ? "The run has lost its agent" : "Nobody has heard of this run any more",
         told ? end->message : "its last event was not a goodbye, and its processes are gone or silent",
         goOn(store),
         {},
         true});
  }
  if (state != RunState::Failed) return;
  Verdict verdict{"failed", VerdictLevel::Critical, "The run failed", end ? end->message : ""};
  if (end && end->reason == "diverged" && !end->message.empty())
    verdict.advice = kGentler;
  else
    explain(store, verdict);
  if (verdict.evidence.empty())
    verdict.evidence = "it gave no reason; see its log";
  else if (verdict.advice.empty() && verdict.evidence.find("(try: ") == std::string::npos)  // it has its own
    verdict.advice = "read the last lines of its log";
  verdict.ending = true;
  diagnosis.verdicts.push_back(std::move(verdict));
}

// Where a run ends as it should and has learnt nothing. Where it was seen to run away, that is told instead.
void checkRise(const RunStore& store, const Series& loss, Diagnosis& diagnosis) {
  const bool told = std::ranges::any_of(diagnosis.verdicts, [](const Verdict& one) { return one.id == "diverged"; }) ||
                    (store.end() && store.end()->reason == "diverged");
  const auto rise = told ? std::nullopt : lossRise(loss);
  if (!rise) return;
  const bool running = store.state() == RunState::Running;
  diagnosis.verdicts.push_back({"loss-higher", rise->grave() ? VerdictLevel::Critical : VerdictLevel::Warning,
                                running ? "The loss is higher than it began" : "The loss ended higher than it began",
                                fmt::format("{:.3g} at the start, {:.3g} in the last steps", rise->begin, rise->now),
                                kGentler});
}

void checkEvaluation(const RunStore& store, const Series& loss, Diagnosis& diagnosis) {
  const Series* evaluation = store.series("eval/loss");
  const auto rise = evaluation ? evalRise(*evaluation, loss) : std::nullopt;
  if (!rise) return;
  const auto saved = std::ranges::find_if(store.checkpoints(), [&](const CheckpointInfo& one) {
    return one.step == rise->bestStep && one.onDisk && one.complete;
  });
  diagnosis.verdicts.push_back(
      {"eval-rising", VerdictLevel::Warning, fmt::format("The evaluation loss has risen since step {}", rise->bestStep),
       fmt::format("from {:.4g} to {:.4g}, while the training loss fell", rise->best, rise->now),
       saved != store.checkpoints().end() ? fmt::format("use {}, where it was lowest", saved->path)
                                          : "fewer steps, or keep the best checkpoint with load_best_model_at_end"});
}

void checkLoss(const RunStore& store, Diagnosis& diagnosis) {
  const Series* loss = store.series("train/loss");
  if (!loss || loss->empty()) {
    diagnosis.abstained.push_back({"loss", "no loss was logged"});
    return;
  }
  policy::DivergenceWatch watch;
  std::int64_t nonFinite = 0, firstNonFinite = 0;
  for (std::size_t i = 0; i < loss->size(); ++i) {
    const policy::LossVerdict verdict = watch.add(loss->values()[i]);
    const bool finite = std::isfinite(loss->values()[i]);
    if (!finite && nonFinite++ == 0) firstNonFinite = loss->steps()[i];
    if (!finite || verdict != policy::LossVerdict::Diverged) continue;
    diagnosis.verdicts.push_back({"diverged", VerdictLevel::Critical,
                                  fmt::format("The loss rises from step {} on", loss->steps()[i]), watch.explanation(),
                                  kGentler});
    break;
  }
  if (nonFinite > 0)
    diagnosis.verdicts.push_back(
        {"non-finite", VerdictLevel::Critical, "The loss was not a number",
         nonFinite == 1 ? fmt::format("at step {}", firstNonFinite)
                        : fmt::format("{} times, first at step {}", nonFinite, firstNonFinite),
         "a lower learning_rate or more warmup_steps, and a look at the samples of that step"});
  checkRise(store, *loss, diagnosis);
  checkEvaluation(store, *loss, diagnosis);
}

void checkSamples(const RunStore& store, Diagnosis& diagnosis) {
  if (const Series* cut = store.series("cut_samples"); cut && !cut->empty())
    diagnosis.verdicts.push_back({"cut-samples", VerdictLevel::Warning, "Some answers were cut",
                                  fmt::format("{} samples were longer than max_length, the first in step {}",
                                              static_cast<std::int64_t>(cut->values().back()), cut->steps().front()),
                                  "raise max_length; on_long_sample: skip leaves such samples out"});
  const Series* left = store.series("bad_samples");
  if (!left || left->empty()) return;
  diagnosis.verdicts.push_back({"bad-samples", VerdictLevel::Warning, "Some samples could not be used",
                                fmt::format("{} were left out, the first in step {}; the run's warnings name them",
                                            static_cast<std::int64_t>(left->values().back()), left->steps().front()),
                                "look whether the pictures are where the data says; on_bad_sample: stop ends a run"});
}

}  // namespace

void checkOutcome(const RunStore& store, Diagnosis& diagnosis) {
  checkEnd(store, diagnosis);
  checkLoss(store, diagnosis);
  checkSamples(store, diagnosis);
  if (const ReceiptInfo* receipt = store.receipt(); receipt && !receipt->ok)
    diagnosis.verdicts.push_back({"receipt", VerdictLevel::Critical, "What was trained is not what was asked for",
                                  join(receipt->mismatches, "; "), "compare with roadtune model tree"});
  std::int64_t odd = 0;
  for (const Notice& notice : store.notices())
    if (notice.where.find(".jsonl, byte ") != std::string::npos) ++odd;
  if (odd > 0)
    diagnosis.verdicts.push_back({"event-gaps", VerdictLevel::Info, "Some events are missing or damaged",
                                  fmt::format("{} places in the event files; roadtune runs show lists them", odd),
                                  "a full disk or a broken copy does this"});
}

}  // namespace roadtune::runs
