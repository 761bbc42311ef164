// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/save_answer.h"

#include "app/cli/request_heard.h"

namespace roadtune::cli {

void SaveAnswer::note(const protocol::FlatEvent& event) {
  if (event.kind == "hello") m_checkpoints.erase(m_checkpoints.upper_bound(event.step), m_checkpoints.end());
  if (event.kind == "checkpoint") m_checkpoints[event.step] = event.members.textOr("path");
}

void SaveAnswer::past(const protocol::FlatEvent& event) { note(event); }

void SaveAnswer::expect(std::string id, bool direct) {
  m_id = std::move(id);
  m_direct = direct;
}

void SaveAnswer::take(const protocol::FlatEvent& event) {
  note(event);
  if (m_saved) return;
  if (!m_heard && hearsRequest(event, m_id)) {
    m_heard = true;
    // Nothing is written again for a step that has a checkpoint.
    if (const auto there = m_checkpoints.find(event.step); there != m_checkpoints.end()) m_saved = there->second;
    return;
  }
  if (event.kind == "checkpoint" && (m_heard || m_direct)) m_saved = event.members.textOr("path");
  if (event.kind == "error" && m_heard) m_trouble = event.members.textOr("message");
}

}  // namespace roadtune::cli
