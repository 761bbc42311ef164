// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/matrix/matrix_cell.h"

namespace roadtune::testing {

const char* name(Victim victim) {
  switch (victim) {
    case Victim::Studio: return "studio";
    case Victim::Cli: return "cli";
    case Victim::Agent: return "agent";
    case Victim::Rank0: return "rank 0";
    case Victim::Rank1: return "rank 1";
    case Victim::Disk: return "disk";
  }
  return "";
}

const char* name(Blow blow) {
  switch (blow) {
    case Blow::Kill: return "SIGKILL";
    case Blow::Freeze: return "SIGSTOP";
    case Blow::Fill: return "full";
  }
  return "";
}

const char* name(Moment moment) {
  switch (moment) {
    case Moment::Start: return "start";
    case Moment::Step: return "step";
    case Moment::Save: return "save";
    case Moment::Finish: return "finish";
  }
  return "";
}

Outcome expectedOf(const Cell& cell) {
  const bool rank = cell.victim == Victim::Rank0 || cell.victim == Victim::Rank1;
  // What is frozen goes on when it is woken, and a full disk is no reason to end: events are lost, steps are not.
  const bool watcher = cell.victim == Victim::Cli || cell.victim == Victim::Studio;
  if (cell.blow != Blow::Kill || watcher) return {"finished", "nothing", "not needed"};
  if (rank)
    return {std::string("failed: ") + name(cell.victim) + " failed first: killed by SIGKILL", "nothing", "exact"};
  // Ranks whose agent is gone save and end by themselves; its guardian writes the last word.
  return {"failed: the agent was ended from outside (killed by SIGKILL)", "nothing", "exact"};
}

}  // namespace roadtune::testing
