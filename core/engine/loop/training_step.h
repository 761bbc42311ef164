// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loader/batch_loader.h"
#include "core/engine/loop/kept_features.h"
#include "core/engine/loop/loss_ledger.h"
#include "core/engine/loop/pass_clock.h"
#include "core/engine/loop/session.h"
#include "core/engine/loop/step_result.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace roadtune::engine {

// The optimizer steps of a rank, one after the other: micro-batches, their passes, the exchange of gradients, the
// update. A GPU is only told what to do. Nobody waits for it before settle(), and until then the next step may begin:
// so the device finds its work for that one when it is done with this one.
class TrainingStep {
 public:
  explicit TrainingStep(Session& session) : m_session(session) {}
  ~TrainingStep();
  TrainingStep(const TrainingStep&) = delete;
  TrainingStep& operator=(const TrainingStep&) = delete;

  // Takes the window's micro-batches from the loader and accumulates gradients. The mean is over all answer tokens of
  // all micro-batches of all ranks (or over samples). `cancelled` is asked between micro-batches; when it says yes the
  // step is given up and an error returned.
  Status accumulate(BatchLoader& loader, std::int64_t microBatches, const std::function<bool()>& cancelled);

  void skipTime() { m_begun->clock.start(); }  // what was done since does not belong to the step
  void giveUp() { m_begun.reset(); }           // what has been accumulated

  // Clips and applies, unless something is not finite. What is known without the device is in the result already.
  StepResult& apply();
  bool underWay() const { return m_underWay != nullptr; }  // applied, not settled

  // Waits for the step that is under way.
  StepResult settle();

  // Ids of this rank's samples of the step that was settled last, in order.
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

    std::int64_t examples() const { return static_cast<std::int64_t>(ids.size()); }
  };
  struct Totals {
    double targets = 0, samples = 0, answered = 0, tokens = 0, asked = 0;
  };
  // One step, until it is settled.
  struct Course {
    explicit Course(const at::Device& device) : clock(device) {}

    StepResult result;
    PassClock clock;
    std::vector<Micro> window;
    at::Tensor gradientFactor;          // on the device
    at::Tensor norms;                   // squares of the towers, and the loss: on the host once the device is done
    at::Tensor losses;                  // of all rows of the window, one micro-batch after the other: as these
    std::vector<at::Tensor> rowLosses;  // of its passes, where they were computed
    std::vector<NewFeatures> features;  // of pictures seen for the first time, on their way to the host
  };

  Status collect(BatchLoader& loader, std::int64_t count);
  Status reportBad(const std::vector<Error>& bad);
  void reportCut(const std::vector<EncodedSample>& samples);
  Totals count();
  void keepNumbers(const at::Tensor& loss);
  void noteSamples(const Course& course);
  void notePeak();
  std::uint64_t planned(const Course& course) const;
  at::Tensor weights(const Micro& micro, const Totals& totals) const;
  // The loss, on the device.
  at::Tensor pass(Micro& micro, const Totals& totals, std::size_t index, bool last);

  Session& m_session;
  std::unique_ptr<Course> m_begun, m_underWay;
  std::vector<std::string> m_sampleIds;
  std::vector<SampleLoss> m_sampleLosses;
  std::optional<Error> m_firstBad;
  std::int64_t m_badSamples = 0, m_cutSamples = 0;
};

}  // namespace roadtune::engine
