// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/class_list.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace roadtune::data {

std::optional<std::uint8_t> findClassNamed(const std::vector<std::string>& classes, std::string_view name) {
  auto found = std::find(classes.begin(), classes.end(), name);
  if (found == classes.end())
    found = std::find_if(classes.begin(), classes.end(),
                         [wanted = lower(name)](const std::string& one) { return lower(one) == wanted; });
  if (found == classes.end()) return std::nullopt;
  return static_cast<std::uint8_t>(found - classes.begin());
}

std::vector<std::string> namesIn(std::string_view typed) {
  std::vector<std::string> names(1);
  bool quoted = false;
  for (const char c : typed) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      names.emplace_back();
    else
      names.back() += c;
  }
  for (std::string& name : names) name = trim(name);
  std::erase(names, "");
  return names;
}

std::string typedNames(const std::vector<std::string>& names) {
  std::string typed;
  for (const std::string& name : names)
    typed += (typed.empty() ? "" : ",") + (name.find(',') == std::string::npos ? name : '"' + name + '"');
  return typed;
}

const ClassList::Place& ClassList::place(const std::string& name) {
  const auto [at, isNew] = m_places.try_emplace(name);
  if (!isNew) return at->second;
  if (const auto known = findClassNamed(m_names, name)) {
    at->second.number = *known;
  } else if (m_names.size() < kMaxClasses) {
    at->second.number = static_cast<std::uint8_t>(m_names.size());
    m_names.push_back(name);
  } else {
    at->second.fits = false;
  }
  return at->second;
}

std::uint8_t ClassList::numberOfBox(const std::string& name) {
  const Place& found = place(name);
  m_boxesBeyond += !found.fits;
  return found.number;
}

std::optional<Problem> ClassList::overflow(const std::string& file) const {
  std::set<std::string> beyond;
  for (const auto& [name, at] : m_places)
    if (!at.fits) beyond.insert(lower(name));
  if (beyond.empty()) return std::nullopt;
  return Problem{.file = file,
                 .what = fmt::format("{} classes find no room: there are numbers for {}", beyond.size(), kMaxClasses),
                 .done = fmt::format("their {} boxes are kept as \"unknown\"", m_boxesBeyond)};
}

}  // namespace roadtune::data
