// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/event_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace roadtune::cli {

// Listens to the events of rank 0 for the checkpoint that answers one request to save. The rank repeats the request's
// id before it saves; where its events arrive without delay (`direct`), any checkpoint that was made after the request
// will do as well.
class SaveAnswer {
 public:
  // What came before the request; ids of other requests count for nothing.
  void past(const protocol::FlatEvent& event);
  void expect(std::string id, bool direct);
  void take(const protocol::FlatEvent& event);

  const std::optional<std::string>& saved() const { return m_saved; }  // path, as the event tells it
  const std::string& trouble() const { return m_trouble; }             // why it could not be written

 private:
  void note(const protocol::FlatEvent& event);
  std::map<std::int64_t, std::string> m_checkpoints;  // of this attempt, by step
  std::string m_id, m_trouble;
  bool m_direct = false, m_heard = false;
  std::optional<std::string> m_saved;
};

}  // namespace roadtune::cli
