// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/storage/fetch.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/this_user.h"
#include "core/base/units.h"
#include "core/data/storage/companions.h"
#include "core/data/storage/fetch_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace roadtune::data {

namespace {

constexpr double kSaveEvery = 2;  // seconds between records while objects come in
constexpr const char* kParts = ".parts";

// The time of change goes with the content: an index of the files then knows them again after another fetch.
void keepTime(const fs::path& file, std::int64_t modified) {
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(modified)};
  std::error_code ignored;
  fs::last_write_time(file, std::chrono::file_clock::from_sys(time), ignored);
}

// One call of fetch() from start to end.
class Fetcher {
 public:
  Fetcher(const Storage& storage, const FetchPlan& plan, ProgressSink& progress)
      : m_storage(storage), m_plan(plan), m_progress(progress), m_record(FetchRecord::read(plan.cache, plan.base)) {}

  Status run(int jobs) {
    ROADTUNE_TRY(m_lock, lockSource(m_plan.cache, m_plan.base));
    ROADTUNE_CHECK(checkSpace());
    if (m_plan.base == m_plan.source) ROADTUNE_CHECK(removeGone());
    std::vector<std::thread> threads;
    for (int i = 1; i < std::max(1, jobs); ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    const Status written = m_record.write();
    if (m_error) return *m_error;
    return written;
  }

 private:
  fs::path placeOf(const StoredObject& object) const {
    return placeInCache(m_plan.cache, m_plan.base) / fs::path(object.name);
  }

  Status checkSpace() const {
    ROADTUNE_CHECK(makeFolders(m_plan.cache));
    std::error_code code;
    const auto space = fs::space(m_plan.cache, code);
    if (code || space.available >= m_plan.missingBytes) return {};
    return failed(fmt::format("{} are missing and {} are free", formatBytes(static_cast<double>(m_plan.missingBytes)),
                              formatBytes(static_cast<double>(space.available))),
                  m_plan.cache.string(), "--cache DIR on a larger disk");
  }

  // What the storage held at an earlier fetch and no longer holds.
  Status removeGone() {
    std::set<std::string> there;
    for (const StoredObject& object : m_plan.objects) there.insert(object.name);
    for (auto entry = m_record.entries.begin(); entry != m_record.entries.end();) {
      if (there.contains(entry->first) || !staysBelow(entry->first)) {
        ++entry;
        continue;
      }
      std::error_code ignored;
      fs::remove(placeOf({.name = entry->first}), ignored);
      entry = m_record.entries.erase(entry);
    }
    return {};
  }

  void work() {
    for (std::size_t i = m_next++; i < m_plan.objects.size() && !m_stop; i = m_next++) {
      const Status done = bring(m_plan.objects[i]);
      if (done.ok()) continue;
      const std::lock_guard lock(m_mutex);
      if (!m_error) m_error = done.error();
      m_stop = true;
    }
  }

  FetchRecord::Match compare(const StoredObject& object) {
    const std::lock_guard lock(m_mutex);
    return m_record.compare(object, placeOf(object));
  }

  Status bring(const StoredObject& object) {
    const Location source = m_plan.base.child(object.name);
    const FetchRecord::Match match = compare(object);
    if (match == FetchRecord::Match::Same) return advance(object.bytes, object.name) ? Status() : Status(cancelled());
    std::string tag;
    if (match == FetchRecord::Match::Perhaps) {
      ROADTUNE_TRY(tag, m_storage.tag(source));
    }
    if (tag.empty() || tag != known(object)) {
      ROADTUNE_TRY(tag, m_storage.download(source, placeOf(object), m_plan.cache / kParts,
                                           [&](std::uint64_t bytes) { return advance(bytes, object.name); }));
    }
    keepTime(placeOf(object), object.modified);
    return note(object, tag);
  }

  std::string known(const StoredObject& object) {
    const std::lock_guard lock(m_mutex);
    return m_record.entries[object.name].tag;
  }

  Status note(const StoredObject& object, const std::string& tag) {
    const std::lock_guard lock(m_mutex);
    m_record.entries[object.name] = {object.bytes, object.modified, tag};
    if (monotonicSeconds() - m_saved < kSaveEvery) return {};
    m_saved = monotonicSeconds();
    return m_record.write();
  }

  bool advance(std::uint64_t bytes, const std::string& name) {
    const std::uint64_t done = m_done += bytes;
    if (!m_progress.report({"fetching", std::min(done, m_plan.bytes), m_plan.bytes, "bytes", name})) m_stop = true;
    return !m_stop;
  }

  const Storage& m_storage;
  const FetchPlan& m_plan;
  ProgressSink& m_progress;
  UniqueFd m_lock;
  std::mutex m_mutex;
  FetchRecord m_record;
  std::optional<Error> m_error;
  std::atomic<std::size_t> m_next{0};
  std::atomic<std::uint64_t> m_done{0};
  std::atomic<bool> m_stop{false};
  double m_saved = 0;
};

void countMissing(FetchPlan& plan) {
  const FetchRecord record = FetchRecord::read(plan.cache, plan.base);
  const fs::path base = placeInCache(plan.cache, plan.base);
  for (const StoredObject& object : plan.objects) {
    plan.bytes += object.bytes;
    if (record.compare(object, base / object.name) == FetchRecord::Match::Same) continue;
    plan.missingBytes += object.bytes;
    ++plan.missingObjects;
  }
}

Status refuseUnfinishedPack(const FetchPlan& plan) {
  const auto has = [&](const char* name) {
    return std::any_of(plan.objects.begin(), plan.objects.end(), [&](const auto& one) { return one.name == name; });
  };
  if (!has("pack.json") || has("catalogue.json")) return {};
  return badInput("holds a pack that is not finished", plan.source.text(),
                  "run the same `roadtune data pack` again; it goes on where it ended");
}

// A file that names pictures is fetched at once, because it says what else belongs to it.
Result<FetchPlan> planAlone(const Storage& storage, FetchPlan plan, const StoredObject& alone) {
  plan.base = plan.source.parent();
  plan.objects = {{plan.source.name(), alone.bytes, alone.modified}};
  if (!namesPictures(plan.source.name())) return plan;
  class Quiet : public ProgressSink {
    bool report(const Progress&) override { return !Interrupt::requested(); }
  } quiet;
  ROADTUNE_CHECK(fetch(storage, plan, 1, quiet));
  ROADTUNE_TRY(const std::set<std::string> names, companionsOf(plan.place));
  ROADTUNE_TRY(const auto neighbours, storage.list(plan.base));
  for (const StoredObject& object : neighbours)
    if (names.contains(object.name) && object.name != plan.source.name()) plan.objects.push_back(object);
  return plan;
}

}  // namespace

Status fetch(const Storage& storage, const FetchPlan& plan, int jobs, ProgressSink& progress) {
  return Fetcher(storage, plan, progress).run(jobs);
}

fs::path defaultStorageCache() { return userCacheFolder() / "roadtune" / "storage"; }

fs::path placeInCache(const fs::path& cache, const Location& source) {
  std::string top = source.kind == Location::Kind::Gcs ? "gs" : "s3";
  for (const char c : customServer(source.kind).empty() ? std::string() : "-" + customServer(source.kind))
    top += std::isalnum(static_cast<unsigned char>(c)) || c == '.' ? c : '-';
  const fs::path bucket = cache / top / source.bucket;
  return source.key.empty() ? bucket : bucket / source.key;
}

Result<FetchPlan> planFetch(const Storage& storage, const Location& source, const fs::path& cache) {
  FetchPlan plan{.source = source, .cache = cache, .place = placeInCache(cache, source), .objects = {}, .base = source};
  ROADTUNE_TRY(plan.objects, storage.list(source));
  if (plan.objects.empty())
    return badInput("there is nothing at this address", source.text(), "check the address; `aws s3 ls` lists a bucket");
  if (plan.objects.size() == 1 && plan.objects.front().name.empty()) {
    const StoredObject alone = plan.objects.front();
    ROADTUNE_TRY(plan, planAlone(storage, std::move(plan), alone));
  }
  std::erase_if(plan.objects, [](const StoredObject& object) { return !staysBelow(object.name); });
  ROADTUNE_CHECK(refuseUnfinishedPack(plan));
  countMissing(plan);
  return plan;
}

}  // namespace roadtune::data
