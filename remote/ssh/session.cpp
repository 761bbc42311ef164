// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/session.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "remote/ssh/any_shell.h"
#include "remote/ssh/authenticate.h"
#include "remote/ssh/host_key.h"
#include "remote/ssh/jump_tunnel.h"
#include "remote/ssh/tcp.h"

#include <fmt/format.h>
#include <libssh/libssh.h>

#include <algorithm>
#include <array>

namespace roadtune::remote {

struct Session::Impl {
  HostSpec host;
  std::unique_ptr<JumpTunnel> tunnel;  // outlives the session that speaks through it
  ssh_session session = nullptr;

  ~Impl() {
    if (!session) return;
    ssh_disconnect(session);
    ssh_free(session);
  }
};

namespace {

constexpr std::size_t kMostJumps = 8;

// Which kind of key the server is asked for depends on the file that is named before the handshake.
void useFileThatKnows(ssh_session session, const HostSpec& host) {
  std::vector<std::string> files{host.knownHostsFile};
  files.insert(files.end(), host.moreKnownHostsFiles.begin(), host.moreKnownHostsFiles.end());
  for (const auto& file : files) {
    ssh_options_set(session, SSH_OPTIONS_KNOWNHOSTS, file.c_str());
    if (files.size() == 1 || ssh_session_has_known_hosts_entry(session) == SSH_KNOWN_HOSTS_OK) return;
  }
  ssh_options_set(session, SSH_OPTIONS_KNOWNHOSTS, host.knownHostsFile.c_str());
}

void setOptions(ssh_session session, const HostSpec& host, int fd) {
  const bool no = false;
  // The socket is connected already: both serve to look the host up among the known ones.
  const std::string name = host.hostKeyAlias.empty() ? host.hostName : host.hostKeyAlias;
  const auto port = static_cast<unsigned>(host.hostKeyAlias.empty() ? host.port : 22);
  const long timeout = host.connectTimeoutSeconds;
  ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &no);
  ssh_options_set(session, SSH_OPTIONS_HOST, name.c_str());
  ssh_options_set(session, SSH_OPTIONS_PORT, &port);
  ssh_options_set(session, SSH_OPTIONS_USER, host.user.c_str());
  ssh_options_set(session, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, host.globalKnownHostsFile.c_str());
  useFileThatKnows(session, host);
  ssh_options_set(session, SSH_OPTIONS_TIMEOUT, &timeout);
  ssh_options_set(session, SSH_OPTIONS_FD, &fd);
}

// Closes and frees a channel however the call ends.
struct ChannelGuard {
  ssh_channel channel;
  ~ChannelGuard() {
    if (!channel) return;
    ssh_channel_close(channel);
    ssh_channel_free(channel);
  }
};

// One turn of reading both streams; -1 when the connection is gone.
int drain(ssh_channel channel, CommandResult& result) {
  std::array<char, 1 << 15> buffer;
  int total = 0;
  for (const int stream : {0, 1}) {
    while (true) {
      const int count = ssh_channel_read_nonblocking(channel, buffer.data(), buffer.size(), stream);
      if (count == SSH_ERROR) return -1;
      if (count <= 0) break;
      (stream == 0 ? result.out : result.err).append(buffer.data(), static_cast<std::size_t>(count));
      total += count;
    }
  }
  return total;
}

Error noShell(const std::string& said, const HostSpec& host) {
  return failed(fmt::format("the login shell there does not run commands: {}", trim(said).substr(0, 200)), host.label(),
                "log in there by hand and try: sh -c true");
}

}  // namespace

Session::Session(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

const HostSpec& Session::host() const { return m_impl->host; }
ssh_session_struct* Session::raw() const { return m_impl->session; }

// The way to the host: a direct connection, or one through its jump hosts.
Result<UniqueFd> Session::reach(const HostSpec& host, const Prompts& prompts, const SshConfig& config,
                                std::vector<std::string> behind, std::unique_ptr<JumpTunnel>& tunnel) {
  if (host.jumps.empty())
    return connectTcp(host.hostName, host.port, host.connectTimeoutSeconds, host.keepAliveSeconds);
  const std::string name(trim(host.jumps.back()));
  behind.push_back(host.alias);
  ROADTUNE_TRY(HostSpec jump, config.resolve(name));
  const auto known = std::find(behind.begin(), behind.end(), jump.alias);
  if (known != behind.end() || behind.size() > kMostJumps)
    return badInput(fmt::format("ProxyJump leads in a circle: {} → {}", join(behind, " → "), name), host.label(),
                    fmt::format("write 'ProxyJump none' under 'Host {}' in ssh_config", name));
  // As ssh does: of several the first is reached by what is written for it, the others through the one before.
  if (host.jumps.size() > 1) jump.jumps.assign(host.jumps.begin(), host.jumps.end() - 1);
  const auto onTheWay = [&jump](Error error) {
    error.what = fmt::format("on the way, at the jump host {}: {}", jump.alias, error.what);
    return error;
  };
  auto session = Session::connect(jump, prompts, config, behind);
  if (!session.ok()) return onTheWay(session.error());
  auto opened = JumpTunnel::open(std::move(session).value(), host.hostName, host.port);
  if (!opened.ok()) return onTheWay(opened.error());
  tunnel = std::move(opened).value();
  return tunnel->takeSocket();
}

Result<Session> Session::connect(const HostSpec& host, const Prompts& prompts, const SshConfig& config) {
  return connect(host, prompts, config, {});
}

Result<Session> Session::connect(const HostSpec& host, const Prompts& prompts, const SshConfig& config,
                                 const std::vector<std::string>& behind) {
  auto impl = std::make_unique<Impl>();
  impl->host = host;
  if (prompts.note)
    for (const auto& note : host.notes) prompts.note(note);
  ROADTUNE_TRY(UniqueFd socket, reach(host, prompts, config, behind, impl->tunnel));
  impl->session = ssh_new();
  if (!impl->session) return failed("out of memory", host.label());
  setOptions(impl->session, host, socket.release());  // libssh closes the descriptor
  if (ssh_connect(impl->session) != SSH_OK)
    return failed(fmt::format("the SSH handshake failed: {}", ssh_get_error(impl->session)), host.label(),
                  "is that port really sshd's?");
  ROADTUNE_CHECK(checkHostKey(impl->session, host, prompts));
  ROADTUNE_CHECK(authenticate(impl->session, host, prompts));
  return Session(std::move(impl));
}

Result<CommandResult> Session::run(const std::string& commandLine, const CommandOptions& options) {
  ChannelGuard guard{ssh_channel_new(m_impl->session)};
  const auto broken = [&](const char* what) {
    return failed(fmt::format("{}: {}", what, ssh_get_error(m_impl->session)), host().label(),
                  "reconnect and try again");
  };
  if (!guard.channel || ssh_channel_open_session(guard.channel) != SSH_OK) return broken("cannot open a channel");
  if (ssh_channel_request_exec(guard.channel, forAnyShell(commandLine).c_str()) != SSH_OK)
    return broken("the command was refused");
  CommandResult result;
  const double deadline = monotonicSeconds() + options.timeoutSeconds;
  std::size_t sent = 0;
  bool closedInput = false;
  while (!ssh_channel_is_eof(guard.channel)) {
    if (monotonicSeconds() > deadline)
      return failed(fmt::format("no end after {:.0f} s: {}", options.timeoutSeconds, commandLine.substr(0, 80)),
                    host().label());
    if (options.stopRequested && options.stopRequested()) return cancelled();
    if (sent < options.input.size()) {
      const auto part = static_cast<std::uint32_t>(std::min<std::size_t>(options.input.size() - sent, 1 << 17));
      const int written = ssh_channel_write(guard.channel, options.input.data() + sent, part);
      if (written < 0) break;  // it ended without reading everything: its exit code tells
      sent += static_cast<std::size_t>(written);
    } else if (!closedInput) {
      ssh_channel_send_eof(guard.channel);
      closedInput = true;
    }
    const int got = drain(guard.channel, result);
    if (got < 0) break;
    if (got == 0 && closedInput && ssh_channel_poll_timeout(guard.channel, 100, 0) == SSH_ERROR) break;
  }
  drain(guard.channel, result);
  if (!ssh_is_connected(m_impl->session)) return broken("the connection was lost");
  result.exitCode = ssh_channel_get_exit_status(guard.channel);
  if (!dropGreeting(result.out)) return noShell(result.out + result.err, host());
  dropGreeting(result.err);
  return result;
}

Result<std::string> Session::output(const std::string& commandLine, const CommandOptions& options) {
  ROADTUNE_TRY(CommandResult result, run(commandLine, options));
  if (result.exitCode == 0) return std::move(result.out);
  const std::string_view said = trim(result.err);
  const auto lastLine = said.rfind('\n');
  return failed(fmt::format("'{}' ended with {}: {}", commandLine.substr(0, 80), result.exitCode,
                            said.substr(lastLine == std::string_view::npos ? 0 : lastLine + 1)),
                host().label());
}

}  // namespace roadtune::remote
