// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/queue/question_desk.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <poll.h>
#include <unistd.h>

namespace roadtune::remote {

namespace {

using nlohmann::json;
using Kind = QueueQuestion::Kind;

constexpr int kLookMs = 200;

// A code from a telephone is good once.
bool isGoodOnce(const QueueQuestion& question) {
  return question.kind == Kind::Reply && lower(question.about).find("password") == std::string::npos;
}

std::string no(const std::string& message) { return jsonLine(json{{"ok", false}, {"message", message}}); }

}  // namespace

Result<std::unique_ptr<QuestionDesk>> QuestionDesk::open(const JobQueue& queue) {
  ROADTUNE_CHECK(makeFolders(queue.folder()));
  ROADTUNE_TRY(ControlServer server, ControlServer::listen(questionSocket(queue)));
  return std::unique_ptr<QuestionDesk>(new QuestionDesk(std::move(server)));
}

QuestionDesk::QuestionDesk(ControlServer server) : m_server(std::move(server)), m_thread([this] { listen(); }) {}

QuestionDesk::~QuestionDesk() {
  m_stop = true;
  m_thread.join();
}

void QuestionDesk::listen() {
  while (!m_stop) {
    std::vector<pollfd> watched;
    m_server.addTo(watched);
    if (::poll(watched.data(), watched.size(), kLookMs) > 0)
      m_server.serve([this](const std::string& line) { return handle(line); });
  }
}

std::string QuestionDesk::handle(const std::string& line) {
  const json wish = json::parse(line, nullptr, false);
  if (!wish.is_object()) return no("is no question for the queue's worker");
  const std::string what = wish.value("do", "");
  if (what == "list") return encodeQuestions(questions());
  if (what != "answer" || !wish.contains("text") || !wish["text"].is_string()) return no("is not understood: " + what);
  const std::scoped_lock lock(m_mutex);
  const auto found = std::find_if(m_open.begin(), m_open.end(),
                                  [&](const Open& one) { return one.question.id == wish.value("id", std::int64_t()); });
  if (found == m_open.end()) return no("nobody asks that any more");
  const Subject subject = subjectOf(found->question);
  m_answers[subject] = wish["text"];
  std::erase_if(m_open, [&](const Open& one) { return subjectOf(one.question) == subject; });  // of other jobs, too
  return json{{"ok", true}}.dump();
}

std::vector<QueueQuestion> QuestionDesk::questions() const {
  const std::scoped_lock lock(m_mutex);
  std::vector<QueueQuestion> all;
  for (const Open& one : m_open) all.push_back(one.question);
  return all;
}

std::vector<QueueQuestion> QuestionDesk::questionsOf(std::int64_t job) const {
  std::vector<QueueQuestion> all = questions();
  std::erase_if(all, [job](const QueueQuestion& one) { return one.job != job; });
  return all;
}

void QuestionDesk::keepOnly(const std::set<std::int64_t>& jobs) {
  const std::scoped_lock lock(m_mutex);
  std::erase_if(m_open, [&](const Open& one) { return !jobs.contains(one.question.job); });
}

std::optional<std::string> QuestionDesk::know(QueueQuestion question) {
  const std::scoped_lock lock(m_mutex);
  if (const auto known = m_answers.find(subjectOf(question)); known != m_answers.end()) {
    std::string answer = known->second;
    if (isGoodOnce(question)) m_answers.erase(known);
    return answer;
  }
  note(std::move(question));
  return std::nullopt;
}

// One question a connection: the other ways in that it tries when the first stays closed are not asked about as well.
void QuestionDesk::note(QueueQuestion question) {
  const pid_t asker = ::gettid();
  for (const Open& one : m_open)
    if (one.question.job == question.job && (one.asker == asker || subjectOf(one.question) == subjectOf(question)))
      return;
  question.id = m_next++;
  m_open.push_back({std::move(question), asker});
}

// `about` is a key file, or a host whose password or whose reply was not accepted. It is asked about again.
void QuestionDesk::forget(std::int64_t job, const std::string& about) {
  const std::scoped_lock lock(m_mutex);
  for (auto known = m_answers.begin(); known != m_answers.end();) {
    const Subject& subject = known->first;
    if (subject.kind == Kind::Trust || (subject.about != about && !startsWith(subject.about, about + ": "))) {
      ++known;
      continue;
    }
    note({.job = job, .kind = subject.kind, .about = subject.about, .again = true});
    known = m_answers.erase(known);
  }
}

Prompts QuestionDesk::promptsFor(std::int64_t job) {
  Prompts prompts;
  prompts.trustUnknownKey = [this, job](const UnknownKey& key) {
    return know({.job = job, .kind = Kind::Trust, .about = key.host, .keyType = key.type, .finger = key.fingerprint})
               .value_or("") == "yes";
  };
  prompts.passphrase = [this, job](const std::string& file) {
    return know({.job = job, .kind = Kind::Passphrase, .about = file});
  };
  prompts.password = [this, job](const std::string& host) {
    return know({.job = job, .kind = Kind::Password, .about = host});
  };
  prompts.reply = [this, job](const std::string& question, bool echo) {
    return know({.job = job, .kind = Kind::Reply, .about = question, .echo = echo});
  };
  prompts.refused = [this, job](const std::string& about) { forget(job, about); };
  return prompts;
}

}  // namespace roadtune::remote
