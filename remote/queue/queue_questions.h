// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/queue/job_queue.h"
#include "remote/ssh/prompts.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::remote {

// What a machine wants to be told before a job of the queue can start there.
struct QueueQuestion {
  enum class Kind { Trust, Passphrase, Password, Reply };
  std::int64_t id = 0, job = 0;
  Kind kind = Kind::Passphrase;
  std::string about;                      // key file, host, or the question in the machine's own words
  std::string keyType = {}, finger = {};  // of the host key to be trusted
  bool echo = false;                      // what is typed may be seen
  bool again = false;                     // the answer before was not accepted
};

std::string describe(const QueueQuestion& question);  // "the passphrase of /home/alice/.ssh/id_ed25519"

// Questions and answers on the wire: JSON without newlines.
std::string encodeQuestions(const std::vector<QueueQuestion>& questions);
Result<std::vector<QueueQuestion>> parseQuestions(const std::string& text);

// The socket on which the worker of a queue can be asked what it wants to know. Only this user can open it.
std::filesystem::path questionSocket(const JobQueue& queue);

// What is open now; none when nobody works on the queue.
Result<std::vector<QueueQuestion>> openQuestions(const JobQueue& queue);
// The answer goes through the socket and is kept in the worker's memory alone.
Status answerQuestion(const JobQueue& queue, std::int64_t id, const std::string& answer);

// Asks whoever is behind `prompts`. Nothing: they do not want to answer now.
std::optional<std::string> askPerson(const Prompts& prompts, const QueueQuestion& question);

}  // namespace roadtune::remote
