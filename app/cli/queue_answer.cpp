// SPDX-License-Identifier: GPL-3.0-or-later
// What machines want to be told before the runs of the queue can start there, answered at a terminal.
#include "app/cli/command.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/clock.h"
#include "core/base/progress.h"
#include "remote/queue/queue_questions.h"
#include "remote/queue/queue_worker.h"

#include <fmt/format.h>

#include <chrono>
#include <set>
#include <thread>

namespace roadtune::cli {

namespace {

constexpr double kStartLimit = 120;  // seconds that a start on other machines may take
constexpr auto kAnswerPause = std::chrono::milliseconds(300);

// Waits until the job goes on, ends or asks again; the answer says whether it has come so far.
Result<bool> becameClear(const remote::JobQueue& queue, std::int64_t id) {
  for (const double begin = monotonicSeconds(); monotonicSeconds() - begin < kStartLimit && !Interrupt::requested();) {
    ROADTUNE_TRY(const auto questions, remote::openQuestions(queue));
    for (const auto& one : questions)
      if (one.job == id) return true;
    ROADTUNE_TRY(const auto jobs, queue.jobs());
    for (const auto& job : jobs) {
      if (job.order.id != id) continue;
      const bool starts = job.order.state == policy::JobState::Running && job.message.starts_with("starting");
      if (!job.order.asks && !starts && (job.order.state != policy::JobState::Waiting || job.failures > 0)) {
        fmt::print("job {}: {}{}{}\n", id, remote::stateWord(job), job.message.empty() ? "" : ": ", job.message);
        return true;
      }
    }
    std::this_thread::sleep_for(kAnswerPause);
  }
  return false;
}

Result<std::set<std::int64_t>> answerAll(const remote::JobQueue& queue,
                                         const std::vector<remote::QueueQuestion>& questions,
                                         const remote::Prompts& prompts) {
  std::set<std::int64_t> jobs;
  for (const auto& one : questions) {
    fmt::print("job {} asks for {}{}\n", one.job, describe(one), one.again ? "; the answer before was wrong" : "");
    if (one.again && prompts.refused) prompts.refused(one.about.substr(0, one.about.find(": ")));
    const auto answer = remote::askPerson(prompts, one);
    if (!answer) continue;
    ROADTUNE_CHECK(remote::answerQuestion(queue, one.id, *answer));
    jobs.insert(one.job);
  }
  return jobs;
}

Result<int> answerQueue() {
  const remote::JobQueue queue;
  if (!remote::QueueWorker::holder(queue))
    return missing("nothing works on the queue, so nothing asks", queue.folder().string(),
                   "roadtune queue run --detach");
  if (!hasTerminal())
    return missing("secrets are read from a terminal only, and there is none", "roadtune queue answer",
                   "run it in a terminal, or answer in the studio");
  Interrupt::install();
  const auto prompts = terminalPrompts();
  ROADTUNE_TRY(auto questions, remote::openQuestions(queue));
  if (questions.empty()) return fmt::print("no job asks for anything\n"), kExitDone;
  while (!questions.empty() && !Interrupt::requested()) {
    ROADTUNE_TRY(const auto jobs, answerAll(queue, questions, prompts));
    if (jobs.empty()) return failed("nothing was answered", "roadtune queue answer", "the jobs go on waiting");
    for (const std::int64_t id : jobs) {
      ROADTUNE_TRY(const bool clear, becameClear(queue, id));
      if (!clear) fmt::print("job {} was told; roadtune queue ls shows how it goes on\n", id);
    }
    ROADTUNE_TRY(questions, remote::openQuestions(queue));
  }
  return Interrupt::requested() ? kExitInterrupted : kExitDone;
}

const Registration kAnswer{"queue answer",
                           "Tell waiting jobs what their machines ask: passphrases, passwords, host keys",
                           [](CLI::App&) -> Action { return [] { return answerQueue(); }; }};

}  // namespace
}  // namespace roadtune::cli
