// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/control_inbox.h"
#include "core/engine/loop/session.h"

#include <functional>
#include <vector>

namespace roadtune::engine {

// What all ranks agreed to do at a step boundary.
struct Orders {
  bool save = false, evaluate = false, stop = false, stopNow = false;
};

// Turns the wishes of all ranks' inboxes into one decision. Stopping may be asked of any rank, saving and evaluating of
// the first rank of any machine; pausing and settings of rank 0, which also tells which requests have been answered, or
// are by the event that follows.
class ControlDesk {
 public:
  explicit ControlDesk(Session& session);

  // Called by every rank at every step boundary. Returns when the run is not, or no longer, paused. `first` is called
  // before anything is done that was asked for.
  Orders decide(const std::function<void()>& first = {});
  bool paused() const { return m_reportedPause; }         // as all ranks agreed
  bool stopAsked() const { return m_inbox.stopAsked(); }  // of this rank alone
  bool stopNow() const { return m_inbox.stopNow(); }
  bool orphaned() const { return m_inbox.orphaned(); }  // this rank; others may still have their agent

 private:
  void take();
  bool possible(std::size_t edit);
  void refuseToEvaluate();
  void ask(const protocol::ControlCommand& command);
  void tell(protocol::ControlWord word);
  void tellOrphaned();
  void takeEarlierEdits();
  bool partsBestFromCheckpoints(const std::vector<double>& edits) const;
  void applyEdits(std::vector<double> edits);

  Session& m_session;
  ControlInbox m_inbox;
  Orders m_wishes;
  std::vector<protocol::ControlCommand> m_asked;  // requests that want an answer, since the last decision
  bool m_paused = false, m_reportedPause = false, m_toldOrphaned = false;
  std::vector<double> m_edits;  // as LiveEdit lists them; lowest when absent
};

}  // namespace roadtune::engine
