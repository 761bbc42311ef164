// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/problem.h"
#include "core/data/index/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roadtune::data {

// The class of this name, as written or else but for upper and lower case.
std::optional<std::uint8_t> findClassNamed(const std::vector<std::string>& classes, std::string_view name);

// Names that were typed as one text: commas are between them, and one with a comma in it stands in double quotes.
std::vector<std::string> namesIn(std::string_view typed);
std::string typedNames(const std::vector<std::string>& names);

// The classes of a recording in the order in which its reader meets them, after Waymo's. Names that differ in upper and
// lower case only are one class. Those that find no room are the unknown class.
class ClassList {
 public:
  void add(const std::string& name) { place(name); }
  std::uint8_t numberOfBox(const std::string& name);
  const std::vector<std::string>& names() const { return m_names; }
  // What did not find room, and how many boxes have such a class.
  std::optional<Problem> overflow(const std::string& file) const;

 private:
  struct Place {
    std::uint8_t number = kUnknown;
    bool fits = true;
  };
  const Place& place(const std::string& name);

  std::vector<std::string> m_names = Recording().classes;
  std::unordered_map<std::string, Place> m_places;  // by the name as written
  std::size_t m_boxesBeyond = 0;
};

}  // namespace roadtune::data
