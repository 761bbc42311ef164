// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/subprocess.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/process_table.h"
#include "remote/agent/rank_plan.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::remote {

struct RankProcess {
  int localRank = 0;
  int rank = 0;
  ProcessId id;
  double started = 0, ended = 0;  // monotonic seconds
  std::optional<ExitStatus> exit = {};
};

// The ranks of one machine: started together, each leading a process group of its own, printing into its own log,
// listening to control lines on its standard input. The end of that input tells a rank that its agent is gone.
class RankGroup {
 public:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  // Starts all ranks, or none: those already started are killed when a later one cannot be. `variables` are added to
  // torchrun's and win over them.
  Status start(const RankPlan& plan, const std::vector<std::string>& command, const protocol::RunLayout& layout,
               const Variables& variables = {});

  // A control line (without newline) to every living rank. Returns how many took it; a rank that does not read its
  // input any more is passed over, never waited for.
  int send(const std::string& line);

  // To every living rank with all it started.
  void signalAll(int signal);

  // Ranks that ended since the last call. Also collects orphans that were handed to this process.
  std::vector<RankProcess> reap();

  bool anyLeft() const;
  const std::vector<RankProcess>& ranks() const { return m_ranks; }

 private:
  Status startOne(const RankPlan& plan, const std::vector<std::string>& command, const protocol::RunLayout& layout,
                  const Variables& variables, int localRank);
  std::vector<RankProcess> m_ranks;
  std::vector<UniqueFd> m_inputs;
};

}  // namespace roadtune::remote
