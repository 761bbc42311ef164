// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/agent/control_server.h"
#include "remote/queue/queue_questions.h"

#include <atomic>
#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/types.h>
#include <thread>

namespace roadtune::remote {

// Where a worker that nobody sits at takes its questions. A connection never waits here: what is not known yet is
// noted, the connection goes without, and the job is tried again when everything it asked is answered. Answers are kept
// in memory for as long as the worker lives, and nowhere else. Any thread.
class QuestionDesk {
 public:
  static Result<std::unique_ptr<QuestionDesk>> open(const JobQueue& queue);
  ~QuestionDesk();
  QuestionDesk(const QuestionDesk&) = delete;
  QuestionDesk& operator=(const QuestionDesk&) = delete;

  Prompts promptsFor(std::int64_t job);  // not to be used after the desk
  std::vector<QueueQuestion> questions() const;
  std::vector<QueueQuestion> questionsOf(std::int64_t job) const;
  void keepOnly(const std::set<std::int64_t>& jobs);  // questions of others are nobody's any more

 private:
  struct Open {
    QueueQuestion question;
    pid_t asker;  // the thread that asked: unlike a std::thread::id, its number is not used again at once
  };
  struct Subject {  // what is asked, whoever asks
    QueueQuestion::Kind kind;
    std::string about, finger;
    auto operator<=>(const Subject&) const = default;
  };
  static Subject subjectOf(const QueueQuestion& question) { return {question.kind, question.about, question.finger}; }
  explicit QuestionDesk(ControlServer server);
  void listen();
  std::string handle(const std::string& line);
  std::optional<std::string> know(QueueQuestion question);
  void note(QueueQuestion question);  // with the lock held
  void forget(std::int64_t job, const std::string& about);

  mutable std::mutex m_mutex;
  std::vector<Open> m_open;
  std::map<Subject, std::string> m_answers;
  std::int64_t m_next = 1;
  ControlServer m_server;
  std::atomic<bool> m_stop = false;
  std::thread m_thread;
};

}  // namespace roadtune::remote
