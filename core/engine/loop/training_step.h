// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loader/batch_loader.h"
#include "core/engine/loop/loss_ledger.h"
#include "core/engine/loop/pass_clock.h"
#include "core/engine/loop/session.h"

#include <functional>
#include <optional>
#include <vector>

namespace roadtune::engine {

// One optimizer step in the making: the micro-batches of its window, their passes, the exchange of gradients.
class TrainingStep {
 public:
  explicit TrainingStep(Session& session) : m_session(session), m_clock(session.device) {}

  // Takes the window's micro-batches from the loader and accumulates gradients. The mean is over all answer tokens of
  // all micro-batches of all ranks (or over samples). `cancelled` is asked between micro-batches; when it says yes the
  // step is given up and an error returned.
  Result<StepResult> accumulate(BatchLoader& loader, std::int64_t microBatches, const std::function<bool()>& cancelled);

  // Clips and applies, unless something is not finite.
  void apply(StepResult& result);

  // Ids of this rank's samples of the last step, in order.
  const std::vector<std::string>& sampleIds() const { return m_sampleIds; }
  // What they cost, where they had something to learn.
  const std::vector<SampleLoss>& sampleLosses() const { return m_sampleLosses; }
  // Samples left out by this rank so far.
  std::int64_t badSamples() const { return m_badSamples; }
  // Why the first sample that could not be used was not; nothing while all could.
  const std::optional<Error>& firstBad() const { return m_firstBad; }

 private:
  struct Micro {
    Batch batch;
    LabelRows rows;
    std::int64_t tokens = 0;
    std::vector<std::string> ids;
    std::vector<data::ImageKey> newPictures;  // whose features are to be kept
  };
  struct Totals {
    double targets = 0, samples = 0, answered = 0, tokens = 0, asked = 0;
  };

  Status collect(BatchLoader& loader, std::int64_t count, StepResult& result);
  Status reportBad(const std::vector<Error>& bad);
  void keepLosses();
  void noteLosses();
  Totals count() const;
  std::uint64_t planned() const;
  at::Tensor weights(const Micro& micro, const Totals& totals) const;
  // The loss, on the device.
  at::Tensor pass(const Micro& micro, const Totals& totals, std::size_t index, bool last, StepResult& result);

  Session& m_session;
  PassClock m_clock;
  std::vector<Micro> m_window;  // of the last step
  std::vector<std::string> m_sampleIds;
  std::vector<SampleLoss> m_sampleLosses;
  std::vector<at::Tensor> m_rowLosses;  // of each pass of the window, where it was computed; undefined: no pass
  at::Tensor m_keptLosses;              // these, one after the other, on the host once the step's norm is known
  std::optional<Error> m_firstBad;
  std::int64_t m_badSamples = 0;
  double m_optimizerSeconds = 0;  // of the last update, once the device has done it
};

}  // namespace roadtune::engine
