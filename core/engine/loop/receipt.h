// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/session.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace roadtune::engine {

// Compares what the configuration wants trained with what the first step really did: every trained tensor needs a
// gradient and must have moved, every frozen one must have neither.
class Receipt {
 public:
  explicit Receipt(const Session& session) : m_session(session) {}

  void beforeStep();                         // between backward and the optimizer
  Status afterStep(const StepResult& step);  // writes the event; an error lists the mismatches

  bool pending() const { return m_pending; }

 private:
  // Per trained tensor, on this rank or any other: an optimizer has it, its gradient is not zero, its value changed.
  struct Signs {
    bool owned = false, gradient = false, changed = false;
  };
  std::map<const Parameter*, Signs> signs() const;
  std::vector<std::string> mismatches(bool moved) const;
  std::vector<std::string> updatedParts() const;

  const Session& m_session;
  std::map<const Parameter*, std::uint32_t> m_before;  // checksums
  bool m_pending = true;
};

}  // namespace roadtune::engine
