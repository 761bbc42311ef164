// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/session.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace roadtune::engine {

// Compares what the configuration wants trained with what the first step really did: every trained tensor needs a
// gradient and must have moved, every frozen one must have neither. Where a warm-up begins at a rate of zero, whether
// tensors move is seen in the step after.
class Receipt {
 public:
  explicit Receipt(const Session& session) : m_session(session) {}

  void beforeStep();                         // between backward and the optimizer
  Status afterStep(const StepResult& step);  // writes the event; an error lists the mismatches

  bool pending() const { return m_pending; }

 private:
  // Per trained tensor, on this rank or any other: an optimizer has it, its gradient is not zero, its values changed,
  // or did not although they should have.
  struct Signs {
    bool owned = false, gradient = false, changed = false, still = false;
  };
  std::map<const Parameter*, std::int64_t> sums() const;
  std::map<const Parameter*, Signs> signs() const;
  bool shouldMove(const FlatGroup& group, std::size_t member) const;
  std::vector<std::string> mismatches() const;
  std::vector<std::string> updatedParts() const;

  const Session& m_session;
  std::map<const Parameter*, std::int64_t> m_before;  // sums of bits
  double m_factor = 0;                                // of the schedule, in the step at hand
  bool m_pending = true, m_first = true;
};

}  // namespace roadtune::engine
