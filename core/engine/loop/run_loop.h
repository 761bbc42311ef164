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
  enum class Wanted { BySchedule, ByUser };

  Status epoch();
  Status step(BatchLoader& loader, std::int64_t microBatches);
  Status checkFed(const StepResult& result, bool endOfEpoch);  // that there are samples to learn from
  void judge(const StepResult& result);                        // non-finite values, divergence
  void end(const Error& cause);                                // as diverged
  void advance(StepResult& result);

  // Between steps, in this order.
  void log(const StepResult& result, bool endOfEpoch);
  Status evaluateIfDue(bool endOfEpoch);
  Status evaluateNow(Wanted wanted = Wanted::BySchedule);
  Numbers probeNumbers();
  Status chooseBest(const Numbers& numbers);
  void saveIfDue(bool endOfEpoch);
  void save();
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
};

}  // namespace roadtune::engine
