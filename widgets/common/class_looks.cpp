// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/class_looks.h"

#include <algorithm>
#include <array>

namespace roadtune::widgets {
namespace {

constexpr std::size_t kSeries = 7;
// Where a dataset has more classes than the series has colours. As far from those, and from each other, as can be seen
// on a photo and on either theme.
constexpr std::array<QRgb, 5> kMore = {0x8855FF, 0x77CC22, 0xFF33CC, 0xDD1144, 0x8B4A1B};
// For those that come when every colour is taken.
constexpr std::array kMarks = {ClassMark::SecondLine, ClassMark::Corners, ClassMark::Sides, ClassMark::None};

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
  series.insert(series.end(), kMore.begin(), kMore.end());
  std::ranges::stable_partition(series, [&looks](const QColor& colour) {
    return std::ranges::none_of(looks, [&colour](const ClassLook& one) { return one.colour == colour; });
  });
  std::size_t next = 0;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!hasOwnLook(names[i])) {
      looks[i] = {series[next % series.size()], kMarks[next / series.size() % kMarks.size()]};
      ++next;
    }
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
