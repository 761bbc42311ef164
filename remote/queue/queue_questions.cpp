// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/queue/queue_questions.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "remote/agent/control_client.h"
#include "remote/queue/queue_worker.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roadtune::remote {

namespace {

using nlohmann::json;
using Kind = QueueQuestion::Kind;

constexpr std::pair<Kind, const char*> kKinds[] = {
    {Kind::Trust, "trust"}, {Kind::Passphrase, "passphrase"}, {Kind::Password, "password"}, {Kind::Reply, "reply"}};

const char* word(Kind kind) {
  for (const auto& [one, name] : kKinds)
    if (one == kind) return name;
  return "";
}

Result<json> ask(const JobQueue& queue, const json& line) {
  const fs::path socket = questionSocket(queue);
  ROADTUNE_TRY(const std::string reply, askSocket(socket, line.dump(), "the queue's worker"));
  json answer = json::parse(reply, nullptr, false);
  if (!answer.is_object()) return failed("the queue's worker answers something else", socket.string());
  if (!answer.value("ok", false)) return failed(answer.value("message", "it was refused"), socket.string());
  return answer;
}

}  // namespace

std::string describe(const QueueQuestion& question) {
  switch (question.kind) {
    case Kind::Trust: return fmt::format("whether {} is the right machine", question.about);
    case Kind::Passphrase: return fmt::format("the passphrase of {}", question.about);
    case Kind::Password: return fmt::format("the password of {}", question.about);
    case Kind::Reply: return fmt::format("what {} asks", question.about.substr(0, question.about.find(": ")));
  }
  return {};
}

std::string encodeQuestions(const std::vector<QueueQuestion>& questions) {
  json all = json::array();
  for (const QueueQuestion& one : questions)
    all.push_back({{"id", one.id},
                   {"job", one.job},
                   {"kind", word(one.kind)},
                   {"about", one.about},
                   {"key_type", one.keyType},
                   {"fingerprint", one.finger},
                   {"echo", one.echo},
                   {"again", one.again}});
  return jsonLine(json{{"ok", true}, {"questions", all}});
}

Result<std::vector<QueueQuestion>> parseQuestions(const std::string& text) {
  try {
    std::vector<QueueQuestion> questions;
    const json whole = json::parse(text);
    for (const json& one : whole.at("questions")) {
      QueueQuestion question{.id = one.at("id"),
                             .job = one.at("job"),
                             .about = one.at("about"),
                             .keyType = one.at("key_type"),
                             .finger = one.at("fingerprint"),
                             .echo = one.at("echo"),
                             .again = one.at("again")};
      for (const auto& [kind, name] : kKinds)
        if (one.at("kind") == name) question.kind = kind;
      questions.push_back(std::move(question));
    }
    return questions;
  } catch (const json::exception& error) {
    return failed(std::string("are no questions: ") + error.what(), "the queue's worker");
  }
}

fs::path questionSocket(const JobQueue& queue) { return queue.folder() / "questions.sock"; }

Result<std::vector<QueueQuestion>> openQuestions(const JobQueue& queue) {
  std::error_code absent;
  if (!QueueWorker::holder(queue) || !fs::exists(questionSocket(queue), absent)) return std::vector<QueueQuestion>();
  ROADTUNE_TRY(const json answer, ask(queue, {{"do", "list"}}));
  return parseQuestions(answer.dump());
}

Status answerQuestion(const JobQueue& queue, std::int64_t id, const std::string& answer) {
  const auto reply = ask(queue, {{"do", "answer"}, {"id", id}, {"text", answer}});
  return reply.ok() ? Status() : Status(reply.error());
}

std::optional<std::string> askPerson(const Prompts& prompts, const QueueQuestion& question) {
  switch (question.kind) {
    case Kind::Trust: {
      const UnknownKey key{question.about, question.keyType, question.finger};
      return prompts.trustUnknownKey && prompts.trustUnknownKey(key) ? std::optional<std::string>("yes") : std::nullopt;
    }
    case Kind::Passphrase: return prompts.passphrase ? prompts.passphrase(question.about) : std::nullopt;
    case Kind::Password: return prompts.password ? prompts.password(question.about) : std::nullopt;
    case Kind::Reply: return prompts.reply ? prompts.reply(question.about, question.echo) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace roadtune::remote
