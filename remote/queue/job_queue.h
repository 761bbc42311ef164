// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/policy/queue_order.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::remote {

// A run that is to start when its turn comes. It owns a copy of its configuration: the file may be edited meanwhile.
struct QueueJob {
  policy::QueuedJob order;
  std::string config;  // where the file lay: relative paths in it count from there
  std::string text;    // the file as it was
  std::vector<std::string> overrides = {};
  std::string from = {};                // the folder that relative paths in the overrides count from
  std::vector<std::string> hosts = {};  // none: this machine
  std::optional<int> processes = {};
  bool sync = false;          // bring model and data to the hosts before it starts
  std::string folder;         // of the run
  std::int64_t retries = 0;   // how often a failure that may pass is tried again
  std::int64_t failures = 0;  // so far
  std::string message = {};   // the last word about it
  double added = 0, started = 0, ended = 0;
  // Ids of the runs in its folder that are its own: what lies there may be somebody else's. The last one may not be
  // there yet.
  std::vector<std::string> runs = {};
  int starting = 0;  // the attempt of that run of which nobody has seen yet whether it starts; 0: there is none
};

std::string_view stateWord(const QueueJob& job);  // "waiting", "asking", "running", ...

// The queue of this user: a folder that any number of programs may look at and change; each change is whole.
class JobQueue {
 public:
  explicit JobQueue(std::filesystem::path folder = defaultFolder());
  static std::filesystem::path defaultFolder();  // roadtune/queue in the user's data folder

  Result<std::vector<QueueJob>> jobs() const;  // in the order in which they are to start

  // Gives it a number and puts it behind the others. Two jobs of one run folder, and jobs to come after that are not
  // there, are refused.
  Result<std::int64_t> add(QueueJob job) const;
  // To a place among the waiting jobs, from 1.
  Status move(std::int64_t id, std::size_t place) const;
  // A running job is refused: it is stopped first.
  Status remove(std::int64_t id) const;
  // The same, for whoever may want to put it back where it stood.
  struct Removed {
    QueueJob job;
    std::size_t at = 0;  // in jobs()
  };
  Result<Removed> take(std::int64_t id) const;
  // Under its number again, or under a new one when another job has got it meanwhile. The answer is that number.
  Result<std::int64_t> putBack(Removed removed) const;
  // A job that failed or was stopped waits again.
  Status again(std::int64_t id) const;

  // Takes a waiting job up; no: it is gone, or does not wait any more.
  Result<bool> claim(std::int64_t id, const std::function<void(QueueJob&)>& change) const;
  // Changes one job in place; nothing happens when it is gone.
  Status update(std::int64_t id, const std::function<void(QueueJob&)>& change) const;

  const std::filesystem::path& folder() const { return m_folder; }

 private:
  using Change = std::function<Status(std::vector<QueueJob>&)>;
  Status change(const Change& change) const;
  std::filesystem::path m_folder;
};

}  // namespace roadtune::remote
