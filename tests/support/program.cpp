// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace roadtune::testing {

std::string programPath(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const std::string built = std::string(ROADTUNE_BIN_DIR) + "/" + name;
  return std::filesystem::exists(built) ? built : name;
}

std::string oraclePython() { return std::string(ROADTUNE_DEPS_DIR) + "/oracle/bin/python"; }

ProgramResult runProgram(const std::vector<std::string>& command, const ProgramOptions& options) {
  std::array<int, 2> out{}, err{};
  if (::pipe(out.data()) != 0 || ::pipe(err.data()) != 0) return {};
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setpgid(0, 0);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    for (int fd : {out[0], out[1], err[0], err[1]}) ::close(fd);
    for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
    if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
    std::vector<std::string> words = command;
    words[0] = programPath(words[0]);
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(out[1]);
  ::close(err[1]);
  ProgramResult result;
  std::array<pollfd, 2> watched{{{out[0], POLLIN, 0}, {err[0], POLLIN, 0}}};
  std::array<std::string*, 2> sinks{&result.out, &result.err};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(options.timeoutSeconds);
  int open = 2;
  while (open > 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ::kill(-pid, SIGKILL);
      result.err += "\n[test: killed after the time limit]\n";
      break;
    }
    ::poll(watched.data(), watched.size(), 100);
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].fd < 0 || !(watched[i].revents & (POLLIN | POLLHUP))) continue;
      char buffer[1 << 16];
      const ssize_t count = ::read(watched[i].fd, buffer, sizeof buffer);
      if (count > 0) {
        sinks[i]->append(buffer, static_cast<std::size_t>(count));
      } else {
        watched[i].fd = -1;
        --open;
      }
    }
  }
  ::close(out[0]);
  ::close(err[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace roadtune::testing
