// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace roadtune {

// How a process ended: by itself with a code, or by a signal (code is then 128 + signal, as shells count).
struct ExitStatus {
  int code = 0;
  int signal = 0;

  bool ok() const { return code == 0; }
  std::string text() const;  // "exit code 3", "killed by SIGKILL"
  static ExitStatus fromWait(int waitStatus);
};

std::string signalName(int signal);  // SIGKILL, or "signal 37"

// Where a stream of the child comes from or goes to. A given descriptor stays the caller's.
struct Stream {
  enum class Kind { Null, Inherit, Pipe, Given };
  Kind kind = Kind::Null;
  int fd = -1;

  static Stream null() { return {}; }
  static Stream inherit() { return {Kind::Inherit, -1}; }
  static Stream pipe() { return {Kind::Pipe, -1}; }
  static Stream given(int fd) { return {Kind::Given, fd}; }
};

// A text that a child can read as its input, whole and at once: a file without a name, in memory.
Result<UniqueFd> textAsFile(std::string_view text);

struct SpawnOptions {
  std::vector<std::string> command;                                   // a bare name is looked up on PATH
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours, or replacing a part of it
  std::filesystem::path folder = {};                                  // working folder; ours when empty
  Stream input = Stream::null();
  Stream output = Stream::inherit();
  Stream error = Stream::inherit();
  bool newSession = false;  // out of the terminal's reach
  bool newGroup = false;    // a process group of its own, so that it can be ended with all it started
  int deathSignal = 0;      // sent to the child when the *thread* that started it ends
};

// A child process. Descriptors of ours do not leak into it, and its signals are at their defaults.
// The destructor neither waits nor kills: who starts a process decides how it ends.
class Subprocess {
 public:
  // A command that cannot be executed is an error here, not an exit code later.
  static Result<Subprocess> start(const SpawnOptions& options);

  pid_t pid() const { return m_pid; }
  UniqueFd& input() { return m_input; }    // valid for Stream::pipe() only
  UniqueFd& output() { return m_output; }  // likewise
  UniqueFd& error() { return m_error; }    // likewise

  std::optional<ExitStatus> poll();  // nothing while it runs
  ExitStatus wait();

 private:
  Subprocess() = default;
  pid_t m_pid = -1;
  UniqueFd m_input, m_output, m_error;
  std::optional<ExitStatus> m_status;
};

struct CommandOutput {
  ExitStatus status;
  std::string out;
  std::string err;
};

// Runs a command to its end and keeps what it printed. Past the limit it is killed with its group and this fails.
Result<CommandOutput> runCommand(SpawnOptions options, double limitSeconds = 60);

// The folder this program lies in, and one of our other programs beside it (in `bin` after installation as well).
std::filesystem::path programFolder();
Result<std::filesystem::path> siblingProgram(const std::string& name);

}  // namespace roadtune
