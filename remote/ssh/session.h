// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "remote/ssh/host_spec.h"
#include "remote/ssh/prompts.h"
#include "remote/ssh/ssh_config.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

struct ssh_session_struct;

namespace roadtune::remote {

class JumpTunnel;

// How a command on another machine ended.
struct CommandResult {
  int exitCode = -1;  // -1 when the server did not say (killed by a signal, connection lost)
  std::string out;
  std::string err;
};

struct CommandOptions {
  std::string input = {};                    // for its standard input
  double timeoutSeconds = 60;                // then the channel is closed and the call fails
  std::function<bool()> stopRequested = {};  // asked about ten times a second
};

// An authenticated connection to one host. Belongs to the thread that made it; use one session per thread.
// The host key was checked strictly: an unknown one was shown, a changed one refused.
class Session {
 public:
  // `config` resolves the hosts named by ProxyJump.
  static Result<Session> connect(const HostSpec& host, const Prompts& prompts, const SshConfig& config = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // Runs a POSIX shell command line; build it with shellCommand(). An exit code other than 0 is not an error. Which
  // login shell the user has there, and what it says first, makes no difference.
  Result<CommandResult> run(const std::string& commandLine, const CommandOptions& options = {});

  // run(), with a non-zero exit code turned into an error that quotes the last line of stderr.
  Result<std::string> output(const std::string& commandLine, const CommandOptions& options = {});

  const HostSpec& host() const;
  ssh_session_struct* raw() const;

 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  // `behind`: the machines that are reached through this one, the last one first.
  static Result<Session> connect(const HostSpec& host, const Prompts& prompts, const SshConfig& config,
                                 const std::vector<std::string>& behind);
  static Result<UniqueFd> reach(const HostSpec& host, const Prompts& prompts, const SshConfig& config,
                                std::vector<std::string> behind, std::unique_ptr<JumpTunnel>& tunnel);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace roadtune::remote
