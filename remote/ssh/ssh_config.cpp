// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/ssh_config.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "remote/ssh/ssh_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <glob.h>
#include <pwd.h>
#include <set>
#include <unistd.h>

namespace roadtune::remote {

namespace {

constexpr int kDeepestInclude = 16;

// Keywords that change nothing for a program that runs commands and copies files.
const std::set<std::string> kHarmless = {"addkeystoagent",
                                         "visualhostkey",
                                         "loglevel",
                                         "requesttty",
                                         "sendenv",
                                         "setenv",
                                         "escapechar",
                                         "forwardx11",
                                         "forwardagent",
                                         "hashknownhosts",
                                         "checkhostip",
                                         "tcpkeepalive",
                                         "compression",
                                         "batchmode",
                                         "controlmaster",
                                         "controlpath",
                                         "controlpersist",
                                         "serveralivecountmax",
                                         "updatehostkeys",
                                         "clearallforwardings",
                                         "exitonforwardfailure",
                                         "forwardx11trusted",
                                         "permitlocalcommand",
                                         "localforward",
                                         "remoteforward",
                                         "dynamicforward",
                                         "numberofpasswordprompts",
                                         "ignoreunknown"};

std::string homeFolder() {
  if (const char* home = std::getenv("HOME"); home && *home) return home;
  const passwd* entry = ::getpwuid(::getuid());
  return entry ? entry->pw_dir : "/";
}

std::string userName() {
  if (const passwd* entry = ::getpwuid(::getuid())) return entry->pw_name;
  const char* name = std::getenv("USER");
  return name ? name : "root";
}

// Words of a line: blanks separate, double quotes keep together, an "=" after the keyword is allowed.
std::vector<std::string> wordsOf(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      any = true;
    } else if (!quoted && (c == ' ' || c == '\t' || (c == '=' && words.empty()) || c == '\r')) {
      if (any) words.push_back(std::move(word));
      word.clear();
      any = false;
    } else if (!quoted && c == '#' && !any) {
      break;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) words.push_back(std::move(word));
  if (words.size() > 1 && words[1] == "=") words.erase(words.begin() + 1);
  return words;
}

bool matchesList(const std::vector<std::string>& patterns, const std::string& text) {
  bool matched = false;
  for (const auto& pattern : patterns) {
    if (!pattern.empty() && pattern[0] == '!') {
      if (matchesPattern(pattern.substr(1), text)) return false;
    } else if (matchesPattern(pattern, text)) {
      matched = true;
    }
  }
  return matched;
}

std::string expand(std::string text, const HostSpec& host) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 1 >= text.size()) {
      result += text[i];
      continue;
    }
    switch (text[++i]) {
      case '%': result += '%'; break;
      case 'd': result += homeFolder(); break;
      case 'h': result += host.hostName.empty() ? host.alias : host.hostName; break;
      case 'n': result += host.alias; break;
      case 'p': result += std::to_string(host.port); break;
      case 'r': result += host.user; break;
      case 'u': result += userName(); break;
      default: result += std::string("%") + text[i];
    }
  }
  return result;
}

// "~", "~/keys", "~alice/keys" and ${VARIABLES}, as ssh takes them in names of files; then what stands for the host.
Result<std::string> expandFile(std::string text, const HostSpec& host, const std::string& place) {
  if (text.starts_with('~')) {
    const auto slash = std::min(text.find('/'), text.size());
    const std::string user = text.substr(1, slash - 1);
    const passwd* entry = user.empty() ? nullptr : ::getpwnam(user.c_str());
    if (!user.empty() && !entry) return badInput("there is no user '" + user + "'", place);
    text = (entry ? std::string(entry->pw_dir) : homeFolder()) + text.substr(slash);
  }
  for (auto at = text.find("${"); at != std::string::npos; at = text.find("${", at)) {
    const auto close = text.find('}', at);
    if (close == std::string::npos) return badInput("'${' is not closed", place);
    const std::string name = text.substr(at + 2, close - at - 2);
    const char* value = std::getenv(name.c_str());
    if (!value) return badInput("${" + name + "} is not set", place, "set it, or write the path out");
    text.replace(at, close - at + 1, value);
    at += std::string_view(value).size();
  }
  return expand(std::move(text), host);
}

// Both are keywords of no file: what stands between them was included where the first one stands.
constexpr const char* kIncludeBegins = "(include";
constexpr const char* kIncludeEnds = "include)";

}  // namespace

std::string HostSpec::label() const {
  const bool brackets = port != 22 && hostName.find(':') != std::string::npos;
  return (user.empty() ? "" : user + "@") + (brackets ? "[" + hostName + "]" : hostName) +
         (port == 22 ? "" : ":" + std::to_string(port));
}

bool matchesPattern(const std::string& pattern, const std::string& text) {
  std::size_t p = 0, t = 0, star = std::string::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (star != std::string::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string::npos;
}

std::filesystem::path SshConfig::defaultFile() {
  if (const char* file = std::getenv("ROADTUNE_SSH_CONFIG"); file && *file) return file;
  return homeFolder() + "/.ssh/config";
}

Result<SshConfig> SshConfig::load(const std::filesystem::path& file) {
  SshConfig config;
  if (std::error_code code; std::filesystem::exists(file, code)) ROADTUNE_CHECK(config.read(file, 0));
  return config;
}

Status SshConfig::read(const std::filesystem::path& file, int depth) {
  if (depth > kDeepestInclude) return badInput("Include is nested too deeply", file.string());
  ROADTUNE_TRY(const std::string text, readFile(file));
  int number = 0;
  for (const auto& raw : split(text, '\n')) {
    ++number;
    auto words = wordsOf(raw);
    if (words.empty()) continue;
    Line line{lower(words[0]), {words.begin() + 1, words.end()}, fmt::format("{}:{}", file.string(), number)};
    if (line.words.empty()) return badInput(fmt::format("'{}' has no value", words[0]), line.place);
    if (line.keyword != "include") {
      m_lines.push_back(std::move(line));
      continue;
    }
    for (auto pattern : line.words) {
      if (pattern.starts_with("~/")) pattern = homeFolder() + pattern.substr(1);
      if (!pattern.starts_with("/")) pattern = (file.parent_path() / pattern).string();
      glob_t found{};
      if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
        for (std::size_t i = 0; i < found.gl_pathc; ++i) {
          m_lines.push_back({kIncludeBegins, {""}, line.place});
          if (Status status = read(found.gl_pathv[i], depth + 1); !status.ok()) {
            ::globfree(&found);
            return status;
          }
          m_lines.push_back({kIncludeEnds, {""}, line.place});
        }
      }
      ::globfree(&found);
    }
  }
  return {};
}

Result<HostSpec> SshConfig::resolve(const std::string& targetText) const {
  ROADTUNE_TRY(const SshTarget target, parseSshTarget(targetText));
  HostSpec host;
  host.alias = target.alias;
  host.user = target.user;
  bool portGiven = target.port != 0, timeoutGiven = false, aliveGiven = false, onlyGiven = false;
  host.port = portGiven ? target.port : 22;
  std::vector<std::pair<std::string, std::string>> identities, known;  // as written, and where
  std::vector<bool> around{true};  // the block that a file is included in; a file of its own to begin with
  bool active = true;
  bool jumpGiven = false;
  for (const auto& line : m_lines) {
    const std::string& value = line.words[0];
    if (line.keyword == kIncludeBegins) {
      around.push_back(active);
    } else if (line.keyword == kIncludeEnds) {
      active = around.back();
      around.pop_back();
    } else if (line.keyword == "host") {
      active = around.back() && matchesList(line.words, target.alias);
    } else if (line.keyword == "match") {
      active = around.back();
      for (std::size_t i = 0; i < line.words.size(); ++i) {
        const std::string word = lower(line.words[i]);
        if (word == "all") continue;
        const std::string argument = i + 1 < line.words.size() ? line.words[++i] : "";
        const std::string now = host.hostName.empty() ? target.alias : host.hostName;
        const std::string user = host.user.empty() ? userName() : host.user;
        if (word == "host")
          active = active && matchesList(split(argument, ','), now);
        else if (word == "originalhost")
          active = active && matchesList(split(argument, ','), target.alias);
        else if (word == "user")
          active = active && matchesList(split(argument, ','), user);
        else if (std::exchange(active, false)) {
          host.notes.push_back(fmt::format("{}: Match {} is not supported; the block is skipped", line.place, word));
        }
      }
    } else if (!active) {
      continue;
    } else if (line.keyword == "hostname") {
      if (host.hostName.empty()) host.hostName = expand(value, host);
    } else if (line.keyword == "user") {
      if (host.user.empty()) host.user = value;
    } else if (line.keyword == "port") {
      if (!std::exchange(portGiven, true)) host.port = std::atoi(value.c_str());
      if (host.port <= 0 || host.port > 65535) return badInput("Port is not a port number", line.place);
    } else if (line.keyword == "identityfile") {
      identities.emplace_back(value, line.place);
    } else if (line.keyword == "identitiesonly") {
      if (!std::exchange(onlyGiven, true)) host.identitiesOnly = lower(value) == "yes";
    } else if (line.keyword == "userknownhostsfile") {
      if (known.empty())
        for (const auto& word : line.words) known.emplace_back(word, line.place);
    } else if (line.keyword == "hostkeyalias") {
      if (host.hostKeyAlias.empty()) host.hostKeyAlias = value;
    } else if (line.keyword == "proxyjump") {
      if (!std::exchange(jumpGiven, true) && lower(value) != "none") host.jumps = split(value, ',');
    } else if (line.keyword == "proxycommand") {
      if (!std::exchange(jumpGiven, true) && lower(value) != "none")
        return badInput("ProxyCommand is not supported, and connecting directly is not what it asks for", line.place,
                        "ProxyJump HOST, when it leads through another machine");
    } else if (line.keyword == "connecttimeout") {
      if (!std::exchange(timeoutGiven, true)) host.connectTimeoutSeconds = std::max(1, std::atoi(value.c_str()));
    } else if (line.keyword == "serveraliveinterval") {
      if (!std::exchange(aliveGiven, true)) host.keepAliveSeconds = std::atoi(value.c_str());
    } else if (line.keyword == "stricthostkeychecking") {
      if (lower(value) != "yes" && lower(value) != "ask")
        host.notes.push_back(fmt::format(
            "{}: StrictHostKeyChecking {} is not followed; unknown keys are always shown first", line.place, value));
    } else if (!kHarmless.contains(line.keyword)) {
      host.notes.push_back(fmt::format("{}: '{}' is not supported", line.place, line.keyword));
    }
  }
  if (host.hostName.empty()) host.hostName = target.alias;
  if (host.user.empty()) host.user = userName();
  if (known.empty()) known.emplace_back("~/.ssh/known_hosts", "");
  for (const auto& [file, place] : known) {
    ROADTUNE_TRY(host.moreKnownHostsFiles.emplace_back(), expandFile(file, host, place));
  }
  host.knownHostsFile = host.moreKnownHostsFiles.front();
  host.moreKnownHostsFiles.erase(host.moreKnownHostsFiles.begin());
  if (identities.empty())
    for (const char* name : {"id_ed25519", "id_ecdsa", "id_rsa"})
      identities.emplace_back(std::string("~/.ssh/") + name, "");
  for (const auto& [file, place] : identities) {
    ROADTUNE_TRY(host.identityFiles.emplace_back(), expandFile(file, host, place));
  }
  return host;
}

std::vector<std::string> SshConfig::hostNames() const {
  std::vector<std::string> names;
  for (const auto& line : m_lines)
    if (line.keyword == "host")
      for (const auto& name : line.words)
        if (name.find_first_of("*?!") == std::string::npos &&
            std::find(names.begin(), names.end(), name) == names.end())
          names.push_back(name);
  return names;
}

}  // namespace roadtune::remote
