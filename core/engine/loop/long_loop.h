// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/dist/communicator.h"
#include "core/engine/loop/reporter.h"

#include <functional>
#include <string>

namespace roadtune::engine {

// Between two rounds of a loop that may take long, and of which all ranks make as many: tells how far it is, and ends
// it where the run is to stop. Several ranks have to end after the same round: they ask each other every two seconds
// or so, as the slowest of them counts, and no device is waited for.
class LongLoop {
 public:
  using Asked = std::function<bool()>;  // has this rank been told to stop?

  // `stop` may be empty, on all ranks.
  LongLoop(Reporter& reporter, Communicator& ranks, std::string name, std::int64_t total, Asked stop);

  bool goesOn(std::int64_t done);  // false: the loop is to be left, by all ranks

 private:
  Reporter& m_reporter;
  Communicator& m_ranks;
  std::string m_name;
  std::int64_t m_total;
  Asked m_stop;
  std::int64_t m_rounds = 0, m_asksAfter = 1;  // since the last time that all were asked
  double m_asked;
};

}  // namespace roadtune::engine
