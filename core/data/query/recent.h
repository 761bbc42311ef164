// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace roadtune::data {

// The answers asked for last, by the text of the question. A pointer is valid until the next keep().
template <class T>
class Recent {
 public:
  explicit Recent(std::size_t most) : m_most(most) {}

  T* find(const std::string& key) {
    const auto found = m_byKey.find(key);
    if (found == m_byKey.end()) return nullptr;
    m_entries.splice(m_entries.begin(), m_entries, found->second);
    return &found->second->second;
  }
  T* keep(const std::string& key, T value) {
    m_entries.emplace_front(key, std::move(value));
    m_byKey[key] = m_entries.begin();
    if (m_entries.size() > m_most) {
      m_byKey.erase(m_entries.back().first);
      m_entries.pop_back();
    }
    return &m_entries.front().second;
  }
  void clear() {
    m_entries.clear();
    m_byKey.clear();
  }

 private:
  using Entries = std::list<std::pair<std::string, T>>;  // most recent first
  std::size_t m_most;
  Entries m_entries;
  std::unordered_map<std::string, typename Entries::iterator> m_byKey;
};

}  // namespace roadtune::data
