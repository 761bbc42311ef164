// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/import.h"

#include "core/base/clock.h"
#include "core/base/file_lock.h"
#include "core/data/index/import_unit.h"
#include "core/data/index/leftovers.h"
#include "core/data/index/source_files.h"
#include "core/data/index/thumbnails.h"
#include "core/data/index/unit_titles.h"

#include <algorithm>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <sys/file.h>
#include <thread>

namespace roadtune::data {

namespace {

constexpr double kSaveEvery = 2;  // seconds between catalogues while units come in

Result<UniqueFd> lockIndex(const IndexLayout& layout) {
  ROADTUNE_TRY(auto lock, tryLock(layout.lock()));
  if (!lock) return failed("another import is writing here", layout.folder.string(), "wait for it to end");
  return std::move(*lock);
}

// One import from start to end.
class Importer {
 public:
  Importer(const ImportRequest& request, const RecordingReaders& readers, ProgressSink& progress)
      : m_request(request), m_readers(readers), m_progress(progress) {
    m_shared.layout = {std::filesystem::absolute(request.out).lexically_normal()};
    m_shared.acceptWaymo = [this] { return acceptOnce(); };
    m_shared.advance = [this](std::uint64_t bytes, const std::string& name) { return advance(bytes, name); };
    m_shared.tell = [this](const Problem& problem) { tell(problem); };
  }

  Result<ImportOutcome> run() {
    ROADTUNE_CHECK(prepare());
    describe();
    work();
    const Status saved = save();
    if (m_error) return *m_error;
    ROADTUNE_CHECK(saved);
    if (const auto catalogue = readCatalogue(m_shared.layout); catalogue.ok())
      removeLeftovers(m_shared.layout, catalogue.value());
    return outcome();
  }

  bool stopped() const { return m_stop; }

 private:
  // A unit to import, and what is known about it.
  struct Job {
    PlannedUnit planned;
    std::vector<SourceFile> sources;
    const Catalogue::Unit* before = nullptr;  // what an earlier import made of it
    UnitOutcome outcome;
    bool done = false, unchanged = false;
    std::size_t kept = 0;  // segments that no other file tells

    bool hadSegments() const { return before && !before->segments.empty(); }
  };

  Status prepare() {
    ROADTUNE_CHECK(makeFolders(m_shared.layout.segmentFolder()));
    ROADTUNE_TRY(m_lock, lockIndex(m_shared.layout));
    if (Index::looksLikeIndex(m_shared.layout.folder)) {
      Result<Catalogue> known = readCatalogue(m_shared.layout);
      if (known.ok()) {
        m_known = std::move(known).value();
      } else {
        tell({.file = known.error().where, .what = known.error().what, .done = "everything is imported again"});
      }
    }
    ImportPlan plan = planImport(m_request.sources, m_readers);
    for (const Problem& problem : plan.problems) tell(problem);
    m_planProblems = std::move(plan.problems);
    for (PlannedUnit& unit : plan.units) m_jobs.push_back({.planned = std::move(unit)});
    return {};
  }

  // Fingerprints every unit and takes over those that did not change.
  void describe() {
    std::map<std::string, const Catalogue::Unit*> known;
    for (const Catalogue::Unit& unit : m_known.units) known[unit.key] = &unit;
    const auto earlier = [&](const std::string& key) {
      const auto found = known.find(key);
      return found == known.end() ? nullptr : found->second;
    };
    for (Job& job : m_jobs) {
      for (const auto& file : job.planned.unit.files) {
        Result<SourceFile> source = describeSource(file, m_shared.layout.folder);
        if (source.ok()) job.sources.push_back(std::move(source).value());
      }
      job.before = earlier(job.planned.key);
      remember(job);
    }
    giveTitles();
    for (Job& job : m_jobs) {
      if (job.before) takeOver(job, *job.before);
      if (!job.unchanged)
        for (const SourceFile& source : job.sources) m_bytesTotal += source.size;
    }
  }

  // What the user said once holds until something else is said.
  void remember(Job& job) {
    ImportUnit& unit = job.planned.unit;
    if (unit.split.empty()) job.planned.givenSplit = m_request.split;
    if (!job.before) return;
    if (unit.split.empty() && m_request.split.empty()) job.planned.givenSplit = job.before->split;
    for (const std::string& folder : job.before->pictures)
      if (std::find(unit.imageFolders.begin(), unit.imageFolders.end(), folder) == unit.imageFolders.end())
        unit.imageFolders.emplace_back(folder);
  }

  // Titles given before stay; new units get theirs in the order of the sources.
  void giveTitles() {
    UnitTitles titles;
    std::set<std::string> mine;
    for (Job& job : m_jobs) {
      mine.insert(job.planned.key);
      if (!job.hadSegments()) continue;
      if (!job.before->title.empty()) job.planned.unit.title = job.before->title;
      titles.keep(job.planned.unit.title, job.sources);
    }
    for (const Catalogue::Unit& unit : m_known.units)
      if (!mine.contains(unit.key) && !unit.segments.empty() && !unit.sources.empty()) keepTitle(unit, titles);
    for (Job& job : m_jobs)
      if (ImportUnit& unit = job.planned.unit; !job.hadSegments() && !unit.title.empty())
        unit.title = titles.give(unit, job.sources);
  }

  // Of a unit that this import does not read. The new place of a file takes its title along.
  void keepTitle(const Catalogue::Unit& unit, UnitTitles& titles) {
    if (!movedAway(unit))
      return titles.keep(unit.title.empty() ? unit.sources.front().path.stem().string() : unit.title, unit.sources);
    for (Job& job : m_jobs) {
      std::string& title = job.planned.unit.title;
      if (!job.before && !title.empty() && unit.title.ends_with("/" + title) && sameContent(unit.sources, job.sources))
        title = unit.title;
    }
  }

  // Whether reading it again could give something else although its files are the same.
  static bool asksForMore(const Job& job, const Catalogue::Unit& before) {
    const PlannedUnit& planned = job.planned;
    if (planned.givenSplit != before.split) return true;
    if (std::any_of(before.problems.begin(), before.problems.end(), [](const Problem& one) { return one.picture; }))
      return true;
    return !planned.unit.base.empty() && planned.unit.imageFolders.size() > before.pictures.size();
  }

  void takeOver(Job& job, const Catalogue::Unit& before) {
    if (!job.hadSegments() || before.sources.size() != job.sources.size() || asksForMore(job, before)) return;
    for (std::size_t i = 0; i < job.sources.size(); ++i) {
      const SourceFile &a = before.sources[i], &b = job.sources[i];
      if (a.path != b.path || a.size != b.size || a.modified != b.modified || a.fingerprint != b.fingerprint) return;
    }
    for (const std::string& stem : before.segments) {
      const Result<Segment> segment = Segment::open(m_shared.layout.segment(stem));
      if (!segment.ok() || keptLess(segment.value()) || !segment.value().verify().ok()) return;
      if (!keptAsItWas(segment.value(), m_shared.layout.blob(stem))) return;
      job.outcome.names.push_back(segment.value().info().name);
    }
    job.outcome.unit = before;
    job.outcome.unit.title = job.planned.unit.title;
    job.done = job.unchanged = true;
    for (const Problem& problem : before.problems) tell(problem);
  }

  // The columns are written after their pictures: where these changed later, somebody else did that, or copied both.
  static bool keptAsItWas(const Segment& segment, const fs::path& blob) {
    if (!holdsItsPictures(segment, blob)) return false;
    std::error_code none, ignored;
    const auto changed = fs::last_write_time(blob, none);
    if (none || changed <= fs::last_write_time(segment.file(), ignored)) return true;
    if (!picturesAreWhole(segment, blob)) return false;
    fs::last_write_time(segment.file(), changed, ignored);  // looked at once
    return true;
  }

  // Written before projected labels, or crowds, were kept: its sources are read once more.
  static bool keptLess(const Segment& segment) {
    const std::string& format = segment.info().format;
    const bool tellsCrowds = format == "coco" || format == "kitti";
    return (format.starts_with("waymo") && !segment.hasProjected()) || (tellsCrowds && !segment.hasCrowds());
  }

  void work() {
    const auto wanted =
        m_request.jobs > 0 ? static_cast<unsigned>(m_request.jobs) : std::thread::hardware_concurrency();
    const std::size_t count = std::min<std::size_t>(std::max(1u, wanted), std::max<std::size_t>(1, m_jobs.size()));
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back([this] { workThread(); });
    workThread();
    for (std::thread& thread : threads) thread.join();
  }

  void workThread() {
    for (std::size_t i = m_next++; i < m_jobs.size() && !m_stop; i = m_next++) {
      Job& job = m_jobs[i];
      if (job.done) continue;
      Result<UnitOutcome> outcome = importUnit(job.planned, job.sources, m_shared);
      const std::lock_guard lock(m_mutex);
      if (!outcome.ok()) {
        if (!m_error) m_error = outcome.error();
        m_stop = true;
        return;
      }
      job.outcome = std::move(outcome).value();
      job.done = true;
      saveNowAndThen();
    }
  }

  void saveNowAndThen() {
    const double now = monotonicSeconds();
    if (now - m_saved < kSaveEvery) return;
    m_saved = now;
    const Status saved = save();
    if (!saved.ok() && !m_error) m_error = saved.error();
    if (!saved.ok()) m_stop = true;
  }

  // Units of earlier imports first, then this one's; a segment that two units tell is taken from the first, unless its
  // files are gone.
  Status save() {
    std::set<std::string> mine;
    for (const Job& job : m_jobs)
      if (job.done) mine.insert(job.planned.key);
    Catalogue catalogue;
    catalogue.problems = m_planProblems;
    std::map<std::string, std::string> owner;  // segment name -> file that told it
    for (const Catalogue::Unit& unit : m_known.units) {
      if (mine.contains(unit.key) || movedAway(unit)) continue;
      for (const std::string& stem : unit.segments) {
        const Result<Segment> segment = Segment::open(m_shared.layout.segment(stem));
        if (segment.ok()) owner.emplace(segment.value().info().name, unit.key);
      }
      catalogue.units.push_back(unit);
    }
    for (Job& job : m_jobs)
      if (job.done) catalogue.units.push_back(withoutRepeated(job, owner));
    m_saved = monotonicSeconds();
    return writeCatalogue(m_shared.layout, catalogue);
  }

  // The old place of files that this import found elsewhere.
  bool movedAway(const Catalogue::Unit& unit) const {
    std::error_code code;
    for (const SourceFile& source : unit.sources) {
      if (std::filesystem::exists(source.path, code)) return false;
      const bool found = std::any_of(m_jobs.begin(), m_jobs.end(), [&](const Job& job) {
        return std::any_of(job.sources.begin(), job.sources.end(), [&](const SourceFile& other) {
          return other.size == source.size && other.fingerprint == source.fingerprint;
        });
      });
      if (!found) return false;
    }
    return !unit.sources.empty();
  }

  Catalogue::Unit withoutRepeated(Job& job, std::map<std::string, std::string>& owner) {
    Catalogue::Unit unit = job.outcome.unit;
    unit.segments.clear();
    for (std::size_t i = 0; i < job.outcome.names.size(); ++i) {
      const std::string& name = job.outcome.names[i];
      const auto [first, isNew] = owner.emplace(name, job.planned.key);
      if (isNew) {
        unit.segments.push_back(job.outcome.unit.segments[i]);
        continue;
      }
      const Problem problem{.file = job.planned.unit.files.front().string(),
                            .segment = name,
                            .what = "is in the index already, from " + first->second,
                            .done = "this one was left out"};
      if (m_toldRepeated.insert(job.planned.key + name).second) tell(problem);
      unit.problems.push_back(problem);
    }
    job.kept = unit.segments.size();
    return unit;
  }

  ImportOutcome outcome() const {
    ImportOutcome result;
    std::set<std::string> usable;
    for (const Job& job : m_jobs) {
      (job.unchanged ? result.unchanged : result.imported) += job.kept;
      usable.insert(job.outcome.names.begin(), job.outcome.names.end());
    }
    result.usable = usable.size();
    result.problems = m_problemCount;
    return result;
  }

  Status acceptOnce() {
    const std::lock_guard lock(m_licenceMutex);
    if (!m_licence && m_request.acceptWaymoLicense) m_licence = m_request.acceptWaymoLicense();
    return m_licence.value_or(Status());
  }

  bool advance(std::uint64_t bytes, const std::string& name) {
    const std::uint64_t done = m_bytesDone += bytes;
    if (!m_progress.report({"indexing", std::min(done, m_bytesTotal), m_bytesTotal, "bytes", name})) m_stop = true;
    return !m_stop;
  }

  void tell(const Problem& problem) {
    const std::lock_guard lock(m_problemMutex);
    ++m_problemCount;
    if (m_request.onProblem) m_request.onProblem(problem);
  }

  const ImportRequest& m_request;
  const RecordingReaders& m_readers;
  ProgressSink& m_progress;
  ImportShared m_shared;
  UniqueFd m_lock;
  Catalogue m_known;
  std::vector<Problem> m_planProblems;
  std::vector<Job> m_jobs;
  std::atomic<std::size_t> m_next{0};
  std::atomic<bool> m_stop{false};
  std::atomic<std::uint64_t> m_bytesDone{0};
  std::uint64_t m_bytesTotal = 0;
  std::mutex m_mutex, m_problemMutex, m_licenceMutex;
  std::optional<Error> m_error;
  std::set<std::string> m_toldRepeated;
  std::size_t m_problemCount = 0;
  double m_saved = 0;
  std::optional<Status> m_licence;  // what the user said, once asked
};

Status makeThumbnails(const ImportRequest& request, ProgressSink& progress) {
  ROADTUNE_TRY(std::shared_ptr<const Index> index, Index::open(request.out));
  Thumbnails thumbnails(std::move(index));
  return thumbnails.makeAll(ThumbnailSize::Small, request.jobs, progress);
}

}  // namespace

Result<ImportOutcome> importInto(const ImportRequest& request, const RecordingReaders& readers,
                                 ProgressSink& progress) {
  ROADTUNE_CHECK(requireApart(request.sources, request.out));
  Importer importer(request, readers, progress);
  Result<ImportOutcome> outcome = importer.run();
  if (outcome.ok() && request.thumbnails && outcome.value().usable > 0)
    ROADTUNE_CHECK(makeThumbnails(request, progress));
  return outcome;
}

}  // namespace roadtune::data
