// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/class_looks.h"

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr std::size_t kSeries = 7;

bool hasOwnLook(const std::string& name) {
  return name.empty() || name == "unknown" || classLook(name).colour != classLook("").colour;
}

}  // namespace

std::vector<ClassLook> classLooks(const std::vector<std::string>& names) {
  std::vector<ClassLook> looks;
  looks.reserve(names.size());
  for (const std::string& name : names) looks.push_back(classLook(name));
  std::vector<QColor> series;
  for (std::size_t i = 0; i < kSeries; ++i) series.push_back(seriesColour(i));
  std::ranges::stable_partition(series, [&looks](const QColor& colour) {
    return std::ranges::none_of(looks, [&colour](const ClassLook& one) { return one.colour == colour; });
  });
  std::size_t next = 0;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!hasOwnLook(names[i])) looks[i].colour = series[next++ % kSeries];
  return looks;
}

ClassColours::ClassColours(const std::vector<std::string>& names) {
  const auto looks = classLooks(names);
  for (std::size_t i = 0; i < names.size(); ++i) m_colours[names[i]] = looks[i].colour;
}

QColor ClassColours::of(const std::string& name, const QColor& otherwise) const {
  const auto known = m_colours.find(name);
  return known == m_colours.end() ? otherwise : known->second;
}

}  // namespace roadtune::widgets
