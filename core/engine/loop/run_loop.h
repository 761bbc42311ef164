// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/engine/loop/control_desk.h"
#include "core/engine/loop/receipt.h"
#include "core/engine/loop/session.h"
#include "core/engine/loop/training_step.h"
#include "core/engine/trainer.h"
#include "core/policy/divergence.h"

#include <optional>

namespace roadtune::engine {

// The course of a run over a prepared session: epochs, steps, and what happens between steps.
class RunLoop {
 public:
  explicit RunLoop(Session& session);
  Result<TrainOutcome> run();

 private:
  // Only what was scheduled decides which model is the best, and when to stop.
  enum class Wanted { AtStart, BySchedule, ByUser };

  Status epoch();
  Status step(BatchLoader& loader, std::int64_t microBatches);
  Result<bool> begin(BatchLoader& loader, std::int64_t microBatches);
  bool mayRunAhead(bool endOfEpoch) const;
  Status settle();                            // the step that is under way, if any
  void tellBeforeFailure();                   // the same, when the next one fails
  Status told(const StepResult& result);      // what a step came to
  Status checkFed(const StepResult& result);  // that there are samples to learn from
  void judge(const StepResult& result);       // non-finite values, divergence
  void end(const Error& cause);               // as diverged
  void advance(StepResult& result);           // that much is known when a step is under way
  void addLoss(const StepResult& result);

  // Between steps, in this order.
  void log(const StepResult& result);
  bool evaluationDue(bool endOfEpoch) const;
  Status evaluateNow(Wanted wanted = Wanted::BySchedule);
  std::optional<Numbers> probeNumbers();
  Status giveUpEvaluation();
  Status chooseBest(const Numbers& numbers);
  bool saveDue(bool endOfEpoch) const;
  void save();
  void saveBeforeFailure();
  Status evaluateByWish();
  Status obey();
  void recordSamples();  // which made up the step: provenance/
  void recordLosses();   // and what each cost: ledger/

  void conclude();
  Numbers summary() const;
  double trainingSeconds() const;

  Session& m_session;
  ControlDesk m_desk;
  TrainingStep m_step;
  Receipt m_receipt;
  policy::DivergenceWatch m_watch;
  TrainerFacts m_facts;
  TrainOutcome m_outcome;
  std::optional<AppendFile> m_provenance;
  LossLedger m_ledger;
  bool m_done = false, m_stopNow = false;
  bool m_fed = false;             // a sample has come
  std::int64_t m_emptySteps = 0;  // in a row, up to now
  double m_started = 0;
  double m_stepSeconds = 0;  // of the step told last
};

}  // namespace roadtune::engine
