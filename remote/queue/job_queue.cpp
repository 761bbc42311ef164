// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/queue/job_queue.h"

#include "core/base/clock.h"
#include "core/base/file_lock.h"
#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/this_user.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace roadtune::remote {

namespace {

using nlohmann::json;
using policy::JobState;

constexpr int kFormat = 1;

json toJson(const QueueJob& job) {
  return {{"id", job.order.id},
          {"state", policy::name(job.order.state)},
          {"after", job.order.after},
          {"not_before", job.order.notBefore},
          {"asks", job.order.asks},
          {"config", job.config},
          {"text", job.text},
          {"overrides", job.overrides},
          {"from", job.from},
          {"hosts", job.hosts},
          {"processes", job.processes ? json(*job.processes) : json()},
          {"sync", job.sync},
          {"folder", job.folder},
          {"retries", job.retries},
          {"failures", job.failures},
          {"message", job.message},
          {"added", job.added},
          {"started", job.started},
          {"ended", job.ended},
          {"runs", job.runs},
          {"starting", job.starting}};
}

JobState stateNamed(const std::string& word) {
  for (const JobState state : {JobState::Waiting, JobState::Running, JobState::Finished, JobState::Stopped})
    if (policy::name(state) == word) return state;
  return JobState::Failed;
}

QueueJob fromJson(const json& line) {
  QueueJob job;
  job.order.id = line.at("id");
  job.order.state = stateNamed(line.at("state"));
  job.order.after = line.at("after").get<std::vector<std::int64_t>>();
  job.order.notBefore = line.at("not_before");
  job.order.asks = line.value("asks", false);
  job.config = line.at("config");
  job.text = line.at("text");
  job.overrides = line.at("overrides").get<std::vector<std::string>>();
  job.from = line.value("from", std::string());  // not written by earlier versions
  job.hosts = line.at("hosts").get<std::vector<std::string>>();
  if (!line.at("processes").is_null()) job.processes = line.at("processes").get<int>();
  job.sync = line.value("sync", false);  // not written by earlier versions
  job.folder = line.at("folder");
  job.retries = line.at("retries");
  job.failures = line.at("failures");
  job.message = line.at("message");
  job.added = line.at("added");
  job.started = line.at("started");
  job.ended = line.at("ended");
  job.runs = line.value("runs", std::vector<std::string>());  // not written by earlier versions
  job.starting = line.value("starting", 0);                   // not written by earlier versions
  job.order.machines = {job.hosts.begin(), job.hosts.end()};
  if (job.hosts.empty()) job.order.machines = {std::string()};
  return job;
}

Result<std::vector<QueueJob>> readJobs(const fs::path& file) {
  std::error_code absent;
  if (!fs::exists(file, absent)) return std::vector<QueueJob>();
  ROADTUNE_TRY(const std::string text, readFile(file));
  try {
    const json all = json::parse(text);
    if (all.at("format").get<int>() > kFormat)
      return badInput("was written by a later version of this program", file.string(), "use that version");
    std::vector<QueueJob> jobs;
    for (const json& line : all.at("jobs")) jobs.push_back(fromJson(line));
    return jobs;
  } catch (const json::exception& error) {
    return badInput(std::string("is no queue: ") + error.what(), file.string(), "move the file away to start afresh");
  }
}

std::vector<QueueJob>::iterator find(std::vector<QueueJob>& jobs, std::int64_t id) {
  return std::find_if(jobs.begin(), jobs.end(), [&](const QueueJob& job) { return job.order.id == id; });
}

Error unknown(std::int64_t id) { return badInput(fmt::format("there is no job {}", id), {}, "roadtune queue ls"); }

bool isOpen(const QueueJob& job) {
  return job.order.state == JobState::Waiting || job.order.state == JobState::Running;
}

Status checkFolder(const std::vector<QueueJob>& jobs, const QueueJob& job) {
  for (const QueueJob& other : jobs)
    if (isOpen(other) && other.folder == job.folder)
      return badInput(fmt::format("job {} writes into this folder", other.order.id), job.folder,
                      "give this one another output_dir");
  return {};
}

Status checkNew(std::vector<QueueJob>& jobs, const QueueJob& job) {
  for (const std::int64_t id : job.order.after)
    if (find(jobs, id) == jobs.end()) return unknown(id);
  return checkFolder(jobs, job);
}

std::int64_t nextNumber(const std::vector<QueueJob>& jobs) {
  std::int64_t next = 1;
  for (const QueueJob& job : jobs) next = std::max(next, job.order.id + 1);
  return next;
}

}  // namespace

std::string_view stateWord(const QueueJob& job) {
  return job.order.state == JobState::Waiting && job.order.asks ? "asking" : policy::name(job.order.state);
}

JobQueue::JobQueue(std::filesystem::path folder) : m_folder(std::move(folder)) {}

std::filesystem::path JobQueue::defaultFolder() { return userDataFolder() / "roadtune" / "queue"; }

Result<std::vector<QueueJob>> JobQueue::jobs() const { return readJobs(m_folder / "queue.json"); }

Status JobQueue::change(const Change& change) const {
  ROADTUNE_CHECK(makeFolders(m_folder));
  ROADTUNE_TRY(const UniqueFd lock, waitForLock(m_folder / "queue.lock"));
  ROADTUNE_TRY(auto all, jobs());
  ROADTUNE_CHECK(change(all));
  json lines = json::array();
  for (const QueueJob& job : all) lines.push_back(toJson(job));
  const json whole = {{"format", kFormat}, {"jobs", std::move(lines)}};
  return writeFileAtomically(m_folder / "queue.json", jsonText(whole, 1) + "\n", kForMe);
}

Result<std::int64_t> JobQueue::add(QueueJob job) const {
  const Status status = change([&](std::vector<QueueJob>& jobs) -> Status {
    ROADTUNE_CHECK(checkNew(jobs, job));
    job.order.id = nextNumber(jobs);
    job.order.state = JobState::Waiting;
    job.added = wallSeconds();
    jobs.push_back(job);
    return {};
  });
  if (!status.ok()) return status.error();
  return job.order.id;
}

Status JobQueue::move(std::int64_t id, std::size_t place) const {
  return change([&](std::vector<QueueJob>& jobs) -> Status {
    const auto found = find(jobs, id);
    if (found == jobs.end()) return unknown(id);
    if (found->order.state != JobState::Waiting)
      return badInput(fmt::format("job {} does not wait: it is {}", id, policy::name(found->order.state)),
                      "roadtune queue move");
    const QueueJob job = std::move(*found);
    jobs.erase(found);
    auto to = jobs.begin();
    for (std::size_t passed = 1; to != jobs.end(); ++to)
      if (to->order.state == JobState::Waiting && passed++ == std::max<std::size_t>(place, 1)) break;
    jobs.insert(to, job);
    return {};
  });
}

Status JobQueue::remove(std::int64_t id) const {
  const Result<Removed> taken = take(id);
  return taken.ok() ? Status() : Status(taken.error());
}

Result<JobQueue::Removed> JobQueue::take(std::int64_t id) const {
  Removed removed;
  const Status status = change([&](std::vector<QueueJob>& jobs) -> Status {
    const auto found = find(jobs, id);
    if (found == jobs.end()) return unknown(id);
    if (found->order.state == JobState::Running)
      return badInput(fmt::format("job {} is running", id), found->folder,
                      "roadtune stop " + shellQuote(found->folder));
    removed = {*found, static_cast<std::size_t>(found - jobs.begin())};
    jobs.erase(found);
    return {};
  });
  if (!status.ok()) return status.error();
  return removed;
}

Result<std::int64_t> JobQueue::putBack(Removed removed) const {
  const Status status = change([&](std::vector<QueueJob>& jobs) -> Status {
    if (isOpen(removed.job)) ROADTUNE_CHECK(checkFolder(jobs, removed.job));
    if (find(jobs, removed.job.order.id) != jobs.end()) removed.job.order.id = nextNumber(jobs);
    jobs.insert(jobs.begin() + static_cast<std::ptrdiff_t>(std::min(removed.at, jobs.size())), removed.job);
    return {};
  });
  if (!status.ok()) return status.error();
  return removed.job.order.id;
}

Status JobQueue::again(std::int64_t id) const {
  return change([&](std::vector<QueueJob>& jobs) -> Status {
    const auto found = find(jobs, id);
    if (found == jobs.end()) return unknown(id);
    if (isOpen(*found) || found->order.state == JobState::Finished)
      return badInput(fmt::format("job {} is {}", id, policy::name(found->order.state)), {}, "roadtune queue ls");
    found->order.state = JobState::Waiting;
    found->order.notBefore = 0;
    found->order.asks = false;
    found->failures = 0;
    found->message.clear();
    return {};
  });
}

Result<bool> JobQueue::claim(std::int64_t id, const std::function<void(QueueJob&)>& edit) const {
  bool waited = false;
  const Status status = change([&](std::vector<QueueJob>& jobs) -> Status {
    const auto found = find(jobs, id);
    waited = found != jobs.end() && found->order.state == JobState::Waiting;
    if (waited) edit(*found);
    return {};
  });
  if (!status.ok()) return status.error();
  return waited;
}

Status JobQueue::update(std::int64_t id, const std::function<void(QueueJob&)>& edit) const {
  return change([&](std::vector<QueueJob>& jobs) -> Status {
    if (const auto found = find(jobs, id); found != jobs.end()) edit(*found);
    return {};
  });
}

}  // namespace roadtune::remote
