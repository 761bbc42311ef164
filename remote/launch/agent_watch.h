// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/event_reader.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::remote {

// How a run's agent says the run ended.
struct RunOutcome {
  std::string reason;  // finished | stopped | failed | lost (nobody alive to say)
  int exitCode = 0;    // what a foreground command answers with
  std::string message;
  std::optional<int> firstFailedRank = {};
  std::vector<std::string> lastLines = {};  // of that rank's log
  std::string exchange = {};                // what that rank last did with the others
  std::string advice = {};                  // which setting to change, for a known cause
  bool consequence = false;                 // of the end of a rank on another machine
  bool mayPass = false;                     // worth starting again
};

// Follows a run's agents through their event files, from the first line; an earlier life of a resumed run does not
// count. Node 0's agent speaks for the run, unless its ranks only lost a neighbour or its agent: then the neighbour's
// agent does. Where another launcher started the ranks and there is no agent, the ranks speak for themselves.
class AgentWatch {
 public:
  explicit AgentWatch(std::filesystem::path run);

  // The outcome, once there is one. An agent that is gone without a word is "lost"; so is a run that ended on some of
  // its machines when the others have been among the `unreached` ones for half a minute, and one of which a machine
  // tells (`lost`) that its agent could not write its goodbye.
  std::optional<RunOutcome> poll(const std::vector<std::string>& unreached = {}, const std::string& lost = {});

 private:
  struct Node {
    explicit Node(std::filesystem::path file) : events(std::move(file)) {}
    protocol::EventReader events;
    std::optional<RunOutcome> outcome;
    std::string machine = {};  // where there are several
    double ended = 0;          // seconds since 1970, by that machine's clock
  };
  static void take(Node& node, const protocol::FlatEvent& flat);
  std::optional<RunOutcome> told() const;
  std::optional<RunOutcome> withoutTheSilent(const std::vector<std::string>& unreached);
  std::optional<RunOutcome> withoutTheLost(const std::string& lost);
  RunOutcome goneWithoutAWord() const;
  std::filesystem::path m_run;
  std::optional<double> m_silentSince, m_lostSince;
  std::vector<Node> m_nodes;
};

// Waits until rank 0 has said hello, or the run has ended: then the error says why, with the last lines of the log.
// Past the limit the run goes on and this returns false: it is only slow. What rank 0 had told before the start, in an
// earlier life that may have ended without a goodbye, does not count.
Result<bool> waitForStart(const std::filesystem::path& run, double limitSeconds,
                          const protocol::ReaderPosition& told = {});

// An outcome as the error a command ends with.
Error toError(const RunOutcome& outcome);

}  // namespace roadtune::remote
