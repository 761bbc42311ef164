// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/data/source/sample_source.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace roadtune::data {
namespace {

class PartOfSource : public SampleSource {
 public:
  PartOfSource(std::shared_ptr<const SampleSource> source, std::vector<std::size_t> places)
      : m_source(std::move(source)), m_places(std::move(places)) {}

  std::size_t size() const override { return m_places.size(); }
  bool containsWaymoData() const override { return m_source->containsWaymoData(); }
  std::string group(std::size_t i) const override { return m_source->group(m_places[i]); }
  std::string origin(std::size_t i) const override { return m_source->origin(m_places[i]); }
  std::string split(std::size_t i) const override { return m_source->split(m_places[i]); }
  std::size_t sourceOf(std::size_t i) const override { return m_source->sourceOf(m_places[i]); }
  std::vector<std::string> unknownClasses() const override { return m_source->unknownClasses(); }
  CocoImageId imageId(std::size_t i) const override { return m_source->imageId(m_places[i]); }
  std::map<std::string, std::int64_t> categoryNumbers() const override { return m_source->categoryNumbers(); }
  Result<Sample> text(std::size_t i, std::uint64_t epoch) const override { return m_source->text(m_places[i], epoch); }
  Result<Sample> get(std::size_t i, std::uint64_t epoch) const override { return m_source->get(m_places[i], epoch); }

 private:
  std::shared_ptr<const SampleSource> m_source;
  std::vector<std::size_t> m_places;
};

// Groups in an order that only their names and the seed decide, so that more data moves few of them.
std::vector<std::string> shuffledGroups(const std::map<std::string, std::vector<std::size_t>>& groups,
                                        std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, std::string>> ranked;
  for (const auto& [name, places] : groups) ranked.emplace_back(hash64(name, seed), name);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (auto& [rank, name] : ranked) names.push_back(std::move(name));
  return names;
}

}  // namespace

Result<std::unique_ptr<SampleSource>> splitByGroup(std::shared_ptr<const SampleSource> source, double share,
                                                   std::uint64_t seed, SplitPart part) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < source->size(); ++i) groups[source->group(i)].push_back(i);
  if (groups.size() < 2)
    return badInput("the training data has one segment only: nothing can be held out without tearing it apart",
                    "eval_fraction", "name eval_data, or add data");
  const auto names = shuffledGroups(groups, seed);
  const auto wanted = std::llround(share * static_cast<double>(names.size()));
  const auto heldOut =
      static_cast<std::size_t>(std::clamp<long long>(wanted, 1, static_cast<long long>(names.size()) - 1));
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i)
    if ((i < heldOut) == (part == SplitPart::HeldOut))
      places.insert(places.end(), groups[names[i]].begin(), groups[names[i]].end());
  std::sort(places.begin(), places.end());
  return std::unique_ptr<SampleSource>(std::make_unique<PartOfSource>(std::move(source), std::move(places)));
}

std::shared_ptr<const SampleSource> firstOfEach(std::shared_ptr<const SampleSource> source, std::size_t most) {
  if (source->size() <= most) return source;
  std::map<std::size_t, std::vector<std::size_t>> sources;
  for (std::size_t i = 0; i < source->size(); ++i) sources[source->sourceOf(i)].push_back(i);
  // Each source is gone through at the pace at which all end together.
  std::vector<std::pair<double, std::size_t>> ranked;
  for (const auto& [number, places] : sources)
    for (std::size_t i = 0; i < places.size(); ++i)
      ranked.emplace_back(static_cast<double>(i) / static_cast<double>(places.size()), places[i]);
  std::ranges::nth_element(ranked, ranked.begin() + static_cast<std::ptrdiff_t>(most));
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < most; ++i) places.push_back(ranked[i].second);
  std::ranges::sort(places);
  return std::make_shared<PartOfSource>(std::move(source), std::move(places));
}

}  // namespace roadtune::data
