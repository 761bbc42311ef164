// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal_prompts.h"

#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <poll.h>
#include <set>
#include <termios.h>
#include <unistd.h>

namespace roadtune::cli {

namespace {

// Waits for a line. Ctrl-C, beyond the `before` times it was pressed, ends that on whichever thread it is asked for:
// the signal may go to another one.
bool lineComes(int terminal, int before) {
  while (true) {
    pollfd waiting{terminal, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, 100);
    if (Interrupt::count() != before) return false;
    if (ready > 0) return true;
  }
}

// One line from the terminal itself, so that redirected streams do not matter.
std::optional<std::string> ask(const std::string& question, bool echo) {
  // Whoever pressed Ctrl-C at one question is not asked the next one of the same attempt.
  constexpr double kSameAttempt = 5;  // seconds
  static std::atomic<double> left = -kSameAttempt;
  if (monotonicSeconds() - left < kSameAttempt) return std::nullopt;
  std::FILE* terminal = std::fopen("/dev/tty", "r+");
  if (!terminal) return std::nullopt;
  // Hidden before it is asked: what is typed at once must not be shown either.
  termios before{};
  const bool hidden = !echo && ::tcgetattr(::fileno(terminal), &before) == 0;
  if (hidden) {
    termios quiet = before;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(::fileno(terminal), TCSAFLUSH, &quiet);
  }
  const int interrupts = Interrupt::count();
  fmt::print(terminal, "{}", question);
  std::fflush(terminal);
  char line[1024];
  const bool came = lineComes(::fileno(terminal), interrupts);
  if (!came) left = monotonicSeconds();
  const bool answered = came && std::fgets(line, sizeof line, terminal) != nullptr;
  if (hidden) {
    ::tcsetattr(::fileno(terminal), TCSAFLUSH, &before);
    fmt::print(terminal, "\n");
  }
  std::fclose(terminal);
  if (!answered) return std::nullopt;
  std::string text = line;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

// What was answered, for as long as this program runs: following a run connects again and again. One question at a
// time, whoever asks it.
class Answers {
 public:
  // `about` names the key file or host; the same question about it is asked once.
  std::optional<std::string> secret(const std::string& about, const std::string& question, bool keep = true) {
    const std::scoped_lock lock(m_mutex);
    const auto key = std::pair(about, question);
    if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
    auto answer = ask((m_refused.erase(about) ? "That was not accepted. " : "") + question, false);
    if (answer && keep) m_known[key] = *answer;
    return answer;
  }
  std::optional<std::string> open(const std::string& question) {
    const std::scoped_lock lock(m_mutex);
    return ask(question, true);
  }
  void note(const std::string& text) {
    const std::scoped_lock lock(m_mutex);
    if (m_noted.insert(text).second) fmt::print(stderr, "note: {}\n", text);
  }
  void forget(const std::string& about) {
    const std::scoped_lock lock(m_mutex);
    std::erase_if(m_known, [&](const auto& entry) { return entry.first.first == about; });
    m_refused.insert(about);
  }

 private:
  std::mutex m_mutex;
  std::map<std::pair<std::string, std::string>, std::string> m_known;
  std::set<std::string> m_noted;    // shown once
  std::set<std::string> m_refused;  // the answer about it, when it was last given
};

Answers& answers() {
  static Answers instance;
  return instance;
}

// "alice@gpu1: Password: " is worth remembering; a code from a telephone is good once.
std::optional<std::string> reply(const std::string& question, bool echo) {
  if (echo) return answers().open(question);
  const bool password = lower(question).find("password") != std::string::npos;
  return answers().secret(question.substr(0, question.find(": ")), question, password);
}

}  // namespace

bool hasTerminal() {
  std::FILE* terminal = std::fopen("/dev/tty", "r+");
  if (terminal) std::fclose(terminal);
  return terminal != nullptr;
}

std::optional<std::string> askAtTerminal(const std::string& question) { return answers().open(question); }

remote::Prompts terminalPrompts(const std::vector<std::string>& trusted) {
  remote::Prompts prompts;
  prompts.trustUnknownKey = [trusted](const remote::UnknownKey& key) {
    if (std::find(trusted.begin(), trusted.end(), key.fingerprint) != trusted.end()) return true;
    const auto answer =
        answers().open(fmt::format("{} is not known yet. Its {} key is\n  {}\nTrust it and remember it? [yes/no] ",
                                   key.host, key.type, key.fingerprint));
    return answer && lower(trim(*answer)) == "yes";
  };
  prompts.passphrase = [](const std::string& file) {
    return answers().secret(file, fmt::format("Passphrase of {}: ", file));
  };
  prompts.password = [](const std::string& host) {
    return answers().secret(host, fmt::format("Password of {}: ", host));
  };
  prompts.reply = reply;
  prompts.note = [](const std::string& text) { answers().note(text); };
  prompts.refused = [](const std::string& about) { answers().forget(about); };
  return prompts;
}

}  // namespace roadtune::cli
