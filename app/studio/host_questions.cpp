// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/host_questions.h"

#include "widgets/frame/question_panel.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace roadtune::studio {
struct HostQuestions::Desk {
  struct Open {
    widgets::QuestionPanel::Question words;
    std::optional<std::string> answer;
    bool done = false;
  };
  std::mutex mutex;
  std::condition_variable answered;
  std::deque<std::shared_ptr<Open>> open;
  std::map<std::string, std::string> secrets;
  std::set<std::string> refused;   // key files and hosts whose last answer was not accepted
  HostQuestions* owner = nullptr;  // null: closed

  std::optional<std::string> ask(const widgets::QuestionPanel::Question& words) {
    std::unique_lock lock(mutex);
    if (!owner) return std::nullopt;
    const auto question = std::make_shared<Open>(Open{words, {}});
    open.push_back(question);
    QMetaObject::invokeMethod(
        owner, [desk = owner] { desk->showNext(); }, Qt::QueuedConnection);
    answered.wait(lock, [&] { return question->done || !owner; });
    return question->done ? question->answer : std::nullopt;
  }

  std::optional<std::string> remembered(const std::string& what) {
    const std::scoped_lock lock(mutex);
    const auto found = secrets.find(what);
    return found == secrets.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<std::string> secret(const std::string& what, widgets::QuestionPanel::Question words) {
    if (auto known = remembered(what)) return known;
    if (wasRefused(what)) words.text = tr("That was not accepted. Try again.") + QLatin1Char('\n') + words.text;
    auto answer = ask(words);
    const std::scoped_lock lock(mutex);
    if (answer && owner) secrets[what] = *answer;
    return answer;
  }

  bool wasRefused(const std::string& what) {
    const std::scoped_lock lock(mutex);
    return refused.erase(what) > 0;
  }

  void forget(const std::string& what) {
    const std::scoped_lock lock(mutex);
    if (secrets.erase(what) > 0) refused.insert(what);
  }
};

HostQuestions::HostQuestions(widgets::QuestionPanel* panel, QObject* parent)
    : QObject(parent), m_panel(panel), m_desk(std::make_shared<Desk>()) {
  m_desk->owner = this;
  connect(m_panel, &widgets::QuestionPanel::answered, this, &HostQuestions::take);
}

HostQuestions::~HostQuestions() { close(); }

void HostQuestions::close() {
  const std::scoped_lock lock(m_desk->mutex);
  m_desk->owner = nullptr;
  m_desk->secrets.clear();
  m_desk->open.clear();
  m_desk->answered.notify_all();
}

void HostQuestions::showNext() {
  if (m_panel->isOpen()) return;
  std::unique_lock lock(m_desk->mutex);
  if (m_desk->open.empty()) return;
  const auto words = m_desk->open.front()->words;
  lock.unlock();
  m_panel->ask(words);
}

void HostQuestions::take(bool yes, const QString& text) {
  {
    const std::scoped_lock lock(m_desk->mutex);
    if (m_desk->open.empty()) return;
    const auto question = m_desk->open.front();
    m_desk->open.pop_front();
    question->done = true;
    if (yes) question->answer = text.toStdString();
    m_desk->answered.notify_all();
  }
  showNext();
}

remote::Prompts HostQuestions::asking() const {
  remote::Prompts prompts;
  const auto desk = m_desk;
  prompts.trustUnknownKey = [desk](const remote::UnknownKey& key) {
    const QString host = QString::fromStdString(key.host);
    return desk
        ->ask({.title = tr("Is this the right machine?"),
               .text = tr("%1 has not been seen before. Compare the fingerprint of its %2 key with the one its "
                          "administrator gave you. "
                          "If you trust it, it is remembered in known_hosts.")
                           .arg(host, QString::fromStdString(key.type)),
               .code = QString::fromStdString(key.fingerprint),
               .yes = tr("Trust and connect")})
        .has_value();
  };
  prompts.passphrase = [desk](const std::string& file) {
    return desk->secret(file, {.title = tr("Passphrase of a key"),
                               .text = QString::fromStdString(file),
                               .field = tr("Passphrase"),
                               .secret = true,
                               .yes = tr("Unlock")});
  };
  prompts.password = [desk](const std::string& host) {
    return desk->secret(host, {.title = tr("Password"),
                               .text = tr("%1 wants a password.").arg(QString::fromStdString(host)),
                               .field = tr("Password"),
                               .secret = true,
                               .yes = tr("Log in")});
  };
  prompts.reply = [desk](const std::string& question, bool echo) {
    const QString words = QString::fromStdString(question).trimmed();
    return desk->ask(
        {.title = tr("The machine asks"), .text = words, .field = words, .secret = !echo, .yes = tr("Answer")});
  };
  prompts.refused = [desk](const std::string& about) { desk->forget(about); };
  return prompts;
}

remote::Prompts HostQuestions::quiet() const {
  remote::Prompts prompts;
  const auto desk = m_desk;
  prompts.passphrase = [desk](const std::string& file) { return desk->remembered(file); };
  prompts.password = [desk](const std::string& host) { return desk->remembered(host); };
  return prompts;
}

}  // namespace roadtune::studio
