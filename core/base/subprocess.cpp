// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/subprocess.h"

#include "core/base/clock.h"
#include "core/base/files.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace roadtune {

namespace fs = std::filesystem;

std::string signalName(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::string ExitStatus::text() const {
  return signal ? "killed by " + signalName(signal) : "exit code " + std::to_string(code);
}

ExitStatus ExitStatus::fromWait(int waitStatus) {
  if (WIFSIGNALED(waitStatus)) return {128 + WTERMSIG(waitStatus), WTERMSIG(waitStatus)};
  return {WEXITSTATUS(waitStatus), 0};
}

namespace {

struct Pipe {
  UniqueFd read, write;
};

Result<Pipe> makePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return systemError("cannot make a pipe");
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

std::vector<std::string> mergedEnvironment(const std::vector<std::pair<std::string, std::string>>& added) {
  std::map<std::string, std::string> merged;
  for (char** at = environ; at && *at; ++at) {
    const std::string entry = *at;
    const auto equals = entry.find('=');
    if (equals != std::string::npos) merged[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  for (const auto& [name, value] : added) merged[name] = value;
  std::vector<std::string> result;
  for (const auto& [name, value] : merged) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> pointersTo(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string findProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const std::string candidate = rest.substr(0, colon) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return name;
}

// All that the child needs, made before the fork: between fork and exec nothing may allocate.
struct Prepared {
  std::string program;
  std::vector<std::string> words, variables;
  std::vector<char*> argv, envp;
  std::string folder;
  std::array<int, 3> streams{-1, -1, -1};  // to be dup'ed onto 0, 1, 2; -1 keeps the parent's
  int report = -1;
  pid_t parent = 0;
};

[[noreturn]] void failChild(int report) {
  const int why = errno;
  [[maybe_unused]] const ssize_t ignored = ::write(report, &why, sizeof why);
  ::_exit(127);
}

void resetSignals() {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) ::signal(number, SIG_DFL);
}

[[noreturn]] void becomeCommand(const SpawnOptions& options, Prepared& prepared) {
  if (options.newSession) ::setsid();
  if (options.newGroup && !options.newSession) ::setpgid(0, 0);
  resetSignals();
  // Lifted above 2 first, so that no dup2 below overwrites a descriptor that is still needed.
  for (int& fd : prepared.streams)
    if (fd >= 0 && (fd = ::fcntl(fd, F_DUPFD_CLOEXEC, 3)) < 0) failChild(prepared.report);
  for (int i = 0; i < 3; ++i)
    if (prepared.streams[static_cast<std::size_t>(i)] >= 0 &&
        ::dup2(prepared.streams[static_cast<std::size_t>(i)], i) < 0)
      failChild(prepared.report);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (!prepared.folder.empty() && ::chdir(prepared.folder.c_str()) != 0) failChild(prepared.report);
  if (options.deathSignal) {
    ::prctl(PR_SET_PDEATHSIG, options.deathSignal);
    if (::getppid() != prepared.parent) ::_exit(127);  // it died before we could ask
  }
  ::execve(prepared.program.c_str(), prepared.argv.data(), prepared.envp.data());
  failChild(prepared.report);
}

Prepared prepare(const SpawnOptions& options) {
  Prepared prepared;
  prepared.program = findProgram(options.command.front());
  prepared.words = options.command;
  prepared.variables = mergedEnvironment(options.environment);
  prepared.argv = pointersTo(prepared.words);
  prepared.envp = pointersTo(prepared.variables);
  prepared.folder = options.folder.string();
  prepared.parent = ::getpid();
  return prepared;
}

// Opens the child's side of one stream; `kept` receives ours when it is a pipe, `childs` what must live until the fork.
Status openStream(const Stream& stream, bool input, UniqueFd& kept, UniqueFd& childs, int& target) {
  switch (stream.kind) {
    case Stream::Kind::Inherit: return {};
    case Stream::Kind::Given: target = stream.fd; return {};
    case Stream::Kind::Null:
      childs.reset(::open("/dev/null", O_RDWR | O_CLOEXEC));
      target = childs.get();
      return {};
    case Stream::Kind::Pipe: {
      ROADTUNE_TRY(Pipe pipe, makePipe());
      kept = std::move(input ? pipe.write : pipe.read);
      childs = std::move(input ? pipe.read : pipe.write);
      target = childs.get();
      return {};
    }
  }
  return {};
}

}  // namespace

Result<Subprocess> Subprocess::start(const SpawnOptions& options) {
  if (options.command.empty()) return failed("no command to start");
  Subprocess child;
  Prepared prepared = prepare(options);
  std::array<UniqueFd, 3> childs;
  ROADTUNE_CHECK(openStream(options.input, true, child.m_input, childs[0], prepared.streams[0]));
  ROADTUNE_CHECK(openStream(options.output, false, child.m_output, childs[1], prepared.streams[1]));
  ROADTUNE_CHECK(openStream(options.error, false, child.m_error, childs[2], prepared.streams[2]));
  ROADTUNE_TRY(Pipe report, makePipe());
  if (report.write.get() < 3) report.write.reset(::fcntl(report.write.get(), F_DUPFD_CLOEXEC, 3));
  prepared.report = report.write.get();

  child.m_pid = ::fork();
  if (child.m_pid < 0) return systemError("cannot start a process", options.command.front());
  if (child.m_pid == 0) becomeCommand(options, prepared);
  if (options.newGroup && !options.newSession) ::setpgid(child.m_pid, child.m_pid);

  report.write.reset();
  int why = 0;
  ssize_t count = 0;
  do count = ::read(report.read.get(), &why, sizeof why);
  while (count < 0 && errno == EINTR);
  if (count == sizeof why) {
    child.wait();
    Error error = systemError(why, "cannot execute", options.command.front());
    if (why == ENOENT || why == EACCES) error.kind = ErrorKind::Missing;
    return error;
  }
  return child;
}

std::optional<ExitStatus> Subprocess::poll() {
  if (m_status) return m_status;
  int status = 0;
  if (::waitpid(m_pid, &status, WNOHANG) == m_pid) m_status = ExitStatus::fromWait(status);
  return m_status;
}

ExitStatus Subprocess::wait() {
  int status = 0;
  while (!m_status) {
    const pid_t waited = ::waitpid(m_pid, &status, 0);
    if (waited == m_pid) m_status = ExitStatus::fromWait(status);
    if (waited < 0 && errno != EINTR) m_status = ExitStatus{127, 0};
  }
  return *m_status;
}

Result<UniqueFd> textAsFile(std::string_view text) {
  UniqueFd fd(::memfd_create("roadtune-input", MFD_CLOEXEC));
  if (!fd.valid()) return systemError("cannot make a file in memory");
  ROADTUNE_CHECK(writeAll(fd.get(), text, "a file in memory"));
  if (::lseek(fd.get(), 0, SEEK_SET) != 0) return systemError("cannot read a file in memory");
  return fd;
}

Result<CommandOutput> runCommand(SpawnOptions options, double limitSeconds) {
  options.output = Stream::pipe();
  options.error = Stream::pipe();
  options.newGroup = true;
  ROADTUNE_TRY(Subprocess child, Subprocess::start(options));
  CommandOutput result;
  std::array<pollfd, 2> watched{{{child.output().get(), POLLIN, 0}, {child.error().get(), POLLIN, 0}}};
  const std::array<std::string*, 2> sinks{&result.out, &result.err};
  const double deadline = monotonicSeconds() + limitSeconds;
  for (int open = 2; open > 0;) {
    const double left = deadline - monotonicSeconds();
    if (left <= 0) {
      ::kill(-child.pid(), SIGKILL);
      child.wait();
      return failed("did not end within " + std::to_string(static_cast<int>(limitSeconds)) + " s",
                    options.command.front());
    }
    ::poll(watched.data(), watched.size(), static_cast<int>(left * 1000) + 1);
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].fd < 0 || watched[i].revents == 0) continue;
      char buffer[1 << 14];
      const ssize_t count = ::read(watched[i].fd, buffer, sizeof buffer);
      if (count > 0) {
        sinks[i]->append(buffer, static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        watched[i].fd = -1;
        --open;
      }
    }
  }
  result.status = child.wait();
  return result;
}

fs::path programFolder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

Result<fs::path> siblingProgram(const std::string& name) {
  const fs::path folder = programFolder();
  for (const fs::path& candidate : {folder / name, folder.parent_path() / "bin" / name})
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  return missing("the program " + name + " is not beside this one", folder.string(),
                 "build or install all programs together");
}

}  // namespace roadtune
