// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/unique_fd.h"
#include "core/config/run_config.h"
#include "remote/launch/agent_watch.h"
#include "remote/launch/run_mirrors.h"
#include "remote/queue/input_copy.h"
#include "remote/queue/job_queue.h"
#include "remote/queue/question_desk.h"
#include "remote/ssh/prompts.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>

namespace roadtune::remote {

// Starts the jobs of a queue when their turn comes, and notes how they end. Runs do not need it: they belong to their
// agents, and a worker that comes back finds them where they are. One worker per queue.
class QueueWorker {
 public:
  struct Hooks {
    // What a run needs before its ranks start: the configuration, its folder, and whether it runs elsewhere.
    std::function<Status(const config::RunConfig&, const std::filesystem::path&, bool)> prepare;
    std::function<void(const std::string&)> say = [](const std::string&) {};  // "job 3 started: runs/night"
    std::function<bool()> goesOn = [] { return true; };                       // asked before each start
    Prompts prompts = {};
  };

  // Refuses when another worker lives.
  static Result<QueueWorker> take(JobQueue queue, Hooks hooks);
  // The worker of a queue, when there is one.
  static std::optional<pid_t> holder(const JobQueue& queue);
  // Asks it to end, and waits until it has; what runs goes on. Nothing happens when there is none.
  static Status rest(const JobQueue& queue);

  // Where nobody sits at the worker: the prompts are not used any more.
  void takeQuestionsTo(std::unique_ptr<QuestionDesk> desk) { m_desk = std::move(desk); }

  // One look: notes what has ended, starts what may start. The answer says whether anything waits or runs.
  Result<bool> look();

  // Ends what this worker does itself: jobs whose model and data are under way say that the copy goes on later.
  void leave();

 private:
  struct Watched {
    AgentWatch agents;
    RunMirrors mirrors;
  };
  QueueWorker(JobQueue queue, Hooks hooks, UniqueFd lock)
      : m_queue(std::move(queue)), m_hooks(std::move(hooks)), m_lock(std::move(lock)) {}

  Prompts promptsFor(const QueueJob& job) const;
  // What is open or no longer open about the jobs.
  Status noteQuestions(const std::vector<QueueJob>& jobs);
  Status noteEnd(const QueueJob& job);
  // Of a start that its worker did not see to the end: does the run go on? Else nothing of it is left.
  Result<bool> settleStart(const QueueJob& job);
  Status noteSilence(const QueueJob& job, const std::string& message);
  Status noteFailure(const QueueJob& job, const std::string& message, bool mayPass);
  Status noteAsking(const QueueJob& job);
  Status noteWaiting(const QueueJob& job, const std::string& silence = {});
  Result<bool> inputsThere(const QueueJob& job);  // starts the copy, and looks at it the next times
  Status start(const QueueJob& job);
  Status launchJob(const QueueJob& job, const std::string& newId) const;
  Status startAfresh(const QueueJob& job, const std::string& newId) const;

  JobQueue m_queue;
  Hooks m_hooks;
  UniqueFd m_lock;
  std::unique_ptr<QuestionDesk> m_desk;
  std::map<std::int64_t, Watched> m_watched;
  std::map<std::int64_t, std::unique_ptr<InputCopy>> m_copies;  // of jobs that wait for nothing else
};

}  // namespace roadtune::remote
