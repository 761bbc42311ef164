// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal_prompts.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <termios.h>
#include <unistd.h>

namespace roadtune::cli {

namespace {

// One line from the terminal itself, so that redirected streams do not matter.
std::optional<std::string> ask(const std::string& question, bool echo) {
  std::FILE* terminal = std::fopen("/dev/tty", "r+");
  if (!terminal) return std::nullopt;
  fmt::print(terminal, "{}", question);
  std::fflush(terminal);
  termios before{};
  const bool hidden = !echo && ::tcgetattr(::fileno(terminal), &before) == 0;
  if (hidden) {
    termios quiet = before;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(::fileno(terminal), TCSAFLUSH, &quiet);
  }
  char line[1024];
  const bool answered = std::fgets(line, sizeof line, terminal) != nullptr;
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

}  // namespace

remote::Prompts terminalPrompts(const std::string& trustedFingerprint) {
  remote::Prompts prompts;
  prompts.trustUnknownKey = [trustedFingerprint](const remote::UnknownKey& key) {
    if (!trustedFingerprint.empty() && key.fingerprint == trustedFingerprint) return true;
    const auto answer = ask(fmt::format("{} is not known yet. Its {} key is\n  {}\nTrust it and remember it? [yes/no] ",
                                        key.host, key.type, key.fingerprint),
                            true);
    return answer && lower(trim(*answer)) == "yes";
  };
  prompts.passphrase = [](const std::string& file) { return ask(fmt::format("Passphrase of {}: ", file), false); };
  prompts.password = [](const std::string& host) { return ask(fmt::format("Password of {}: ", host), false); };
  prompts.reply = [](const std::string& question, bool echo) { return ask(question, echo); };
  return prompts;
}

}  // namespace roadtune::cli
