// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/data/source/fetched.h"
#include "core/data/source/prepared.h"
#include "core/data/source/sources.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace roadtune::data {

namespace {

// Positions of a source of `size` samples that appear `weight` times: whole copies, and a share drawn by the seed.
std::vector<std::uint32_t> weighted(std::size_t size, double weight, std::uint64_t seed) {
  std::vector<std::uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0u);
  std::vector<std::uint32_t> result;
  const auto copies = static_cast<std::size_t>(weight);
  for (std::size_t i = 0; i < copies; ++i) result.insert(result.end(), all.begin(), all.end());
  const auto rest =
      static_cast<std::size_t>(std::llround((weight - static_cast<double>(copies)) * static_cast<double>(size)));
  const auto rank = [&](std::uint32_t i) { return mix64(seed ^ mix64(i)); };
  std::sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
  all.resize(std::min(rest, size));
  std::sort(all.begin(), all.end());
  result.insert(result.end(), all.begin(), all.end());
  return result;
}

class MixSource : public SampleSource {
 public:
  void add(std::unique_ptr<SampleSource> source, double weight, std::uint64_t seed) {
    const auto number = static_cast<std::uint32_t>(m_sources.size());
    for (const std::uint32_t i : weighted(source->size(), weight, seed + number)) m_places.push_back({number, i});
    m_sources.push_back(std::move(source));
  }

  std::size_t size() const override { return m_places.size(); }
  Result<Sample> get(std::size_t i, std::uint64_t epoch) const override {
    return m_sources[m_places[i].source]->get(m_places[i].sample, epoch);
  }
  Result<Sample> text(std::size_t i, std::uint64_t epoch) const override {
    return m_sources[m_places[i].source]->text(m_places[i].sample, epoch);
  }
  // Without the source: a segment that comes in two of them, for another task say, is held out of both.
  std::string group(std::size_t i) const override { return m_sources[m_places[i].source]->group(m_places[i].sample); }
  std::string origin(std::size_t i) const override { return m_sources[m_places[i].source]->origin(m_places[i].sample); }
  std::string split(std::size_t i) const override { return m_sources[m_places[i].source]->split(m_places[i].sample); }
  std::size_t sourceOf(std::size_t i) const override { return m_places[i].source; }
  std::vector<std::string> unknownClasses() const override {
    std::vector<std::string> names = m_sources.front()->unknownClasses();
    for (const auto& source : m_sources) {
      const auto others = source->unknownClasses();
      std::erase_if(names, [&](const std::string& name) { return std::ranges::find(others, name) == others.end(); });
    }
    return names;
  }
  bool containsWaymoData() const override {
    return std::any_of(m_sources.begin(), m_sources.end(), [](const auto& s) { return s->containsWaymoData(); });
  }

 private:
  struct Place {
    std::uint32_t source = 0, sample = 0;
  };
  std::vector<std::unique_ptr<SampleSource>> m_sources;
  std::vector<Place> m_places;
};

}  // namespace

Result<std::unique_ptr<SampleSource>> openSource(const SourceSpec& named, const TaskTemplate& given) {
  std::error_code code;
  ROADTUNE_TRY(const SourceSpec spec, withFetchedPaths(named));
  TaskTemplate task = given;
  if (!spec.task.empty()) task.task = spec.task;
  if (!fs::exists(spec.path, code)) return badInput("there is no such data", spec.path, "check the path");
  if (!spec.images.empty() && !fs::is_directory(spec.images, code))
    return badInput("there is no such folder of pictures", spec.images, "check the path");
  if (Index::looksLikeIndex(spec.path)) {
    ROADTUNE_TRY(std::shared_ptr<const Index> index, Index::open(spec.path));
    return openIndexSource(std::move(index), spec.query, task);
  }
  if (const auto prepared = preparedIndex(spec); prepared && Index::looksLikeIndex(*prepared)) {
    ROADTUNE_TRY(std::shared_ptr<const Index> index, Index::open(*prepared));
    auto unknown = keepKnownClasses(*index, task);
    return underItsName(openIndexSource(std::move(index), spec.query, task, std::move(unknown)), *prepared, spec.path);
  }
  const std::string name = lower(fs::path(spec.path).filename().string());
  if (endsWith(name, ".jsonl")) return openJsonlSource(spec);
  if (endsWith(name, ".json")) return openCocoSource(spec, task);
  return badInput(needsImport(spec.path) ? "must be imported first; `roadtune train` does it when it starts a run"
                                         : "is neither an index, a JSONL file nor a COCO file",
                  spec.path, "run `roadtune data index " + spec.path + " --out DIR` and name DIR");
}

Result<std::unique_ptr<SampleSource>> openMix(const std::vector<SourceSpec>& specs, const TaskTemplate& task) {
  if (specs.empty()) return badInput("no data source is given");
  if (specs.size() == 1 && specs.front().weight == 1) return openSource(specs.front(), task);
  auto mix = std::make_unique<MixSource>();
  for (const SourceSpec& spec : specs) {
    constexpr double kMost = 1000;
    if (!(spec.weight > 0) || spec.weight > kMost)
      return badInput("the weight of a source must lie above 0 and not above 1000", spec.path);
    ROADTUNE_TRY(std::unique_ptr<SampleSource> source, openSource(spec, task));
    mix->add(std::move(source), spec.weight, task.seed);
  }
  return std::unique_ptr<SampleSource>(std::move(mix));
}

}  // namespace roadtune::data
