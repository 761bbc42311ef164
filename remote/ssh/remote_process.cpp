// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/remote_process.h"

#include "remote/ssh/any_shell.h"

#include <fmt/format.h>
#include <libssh/libssh.h>

#include <algorithm>
#include <array>
#include <utility>

namespace roadtune::remote {

namespace {

constexpr std::uint32_t kWindow = 8 << 20;

ssh_channel channelOf(void* pointer) { return static_cast<ssh_channel>(pointer); }

Error lost(ssh_channel channel) {
  return failed(fmt::format("the connection was lost: {}", ssh_get_error(ssh_channel_get_session(channel))), {},
                "reconnect");
}

}  // namespace

Result<RemoteProcess> RemoteProcess::start(Session& session, const std::string& commandLine) {
  ssh_channel channel = ssh_channel_new(session.raw());
  if (!channel || ssh_channel_open_session(channel) != SSH_OK ||
      ssh_channel_request_exec(channel, forAnyShell(commandLine).c_str()) != SSH_OK) {
    const std::string reason = ssh_get_error(session.raw());
    if (channel) ssh_channel_free(channel);
    return failed("cannot start a command: " + reason, session.host().label(), "reconnect and try again");
  }
  return RemoteProcess(channel);
}

RemoteProcess::RemoteProcess(RemoteProcess&& other) noexcept
    : m_channel(std::exchange(other.m_channel, nullptr)),
      m_begun(other.m_begun),
      m_errorsBegun(other.m_errorsBegun),
      m_greeting(std::move(other.m_greeting)),
      m_errors(std::move(other.m_errors)),
      m_buffer(std::move(other.m_buffer)) {}

RemoteProcess& RemoteProcess::operator=(RemoteProcess&& other) noexcept {
  std::swap(m_channel, other.m_channel);
  std::swap(m_begun, other.m_begun);
  std::swap(m_errorsBegun, other.m_errorsBegun);
  std::swap(m_greeting, other.m_greeting);
  std::swap(m_errors, other.m_errors);
  std::swap(m_buffer, other.m_buffer);
  return *this;
}

RemoteProcess::~RemoteProcess() {
  if (!m_channel) return;
  ssh_channel_close(channelOf(m_channel));
  ssh_channel_free(channelOf(m_channel));
}

Status RemoteProcess::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto part = static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), 1 << 17));
    const int written = ssh_channel_write(channelOf(m_channel), bytes.data(), part);
    if (written <= 0) return lost(channelOf(m_channel));  // none: nothing was taken for as long as a connection may
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::size_t RemoteProcess::room() const { return ssh_channel_window_size(channelOf(m_channel)); }

void RemoteProcess::closeInput() { ssh_channel_send_eof(channelOf(m_channel)); }

Result<std::string> RemoteProcess::read(double waitSeconds) {
  ssh_channel channel = channelOf(m_channel);
  std::string bytes;
  const int available = ssh_channel_poll_timeout(channel, static_cast<int>(waitSeconds * 1000), 0);
  if (available == SSH_ERROR) return lost(channel);
  // As much as is asked for is what the other side may send unasked: on a long way a small number is a slow copy.
  if (available > 0) {
    m_buffer.resize(kWindow);
    const int count = ssh_channel_read_timeout(channel, m_buffer.data(), kWindow, 0, 0);
    if (count == SSH_ERROR) return lost(channel);
    bytes.assign(m_buffer.data(), static_cast<std::size_t>(std::max(count, 0)));
  }
  if (!m_begun && !bytes.empty()) {
    m_greeting += bytes;
    m_begun = dropGreeting(m_greeting);
    bytes = m_begun ? std::exchange(m_greeting, {}) : std::string();
  }
  std::array<char, 1 << 12> errors;
  for (int count = 1; count > 0;) {
    count = ssh_channel_read_nonblocking(channel, errors.data(), errors.size(), 1);
    if (count == SSH_ERROR) return lost(channel);
    m_errors.append(errors.data(), static_cast<std::size_t>(std::max(count, 0)));
  }
  if (!m_errorsBegun) m_errorsBegun = dropGreeting(m_errors);
  if (bytes.empty() && !ssh_is_connected(ssh_channel_get_session(channel))) return lost(channel);
  return bytes;
}

bool RemoteProcess::ended() const { return ssh_channel_is_eof(channelOf(m_channel)) != 0; }
int RemoteProcess::exitCode() const { return ssh_channel_get_exit_status(channelOf(m_channel)); }

}  // namespace roadtune::remote
