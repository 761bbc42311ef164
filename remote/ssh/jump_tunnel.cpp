// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/jump_tunnel.h"

#include <fmt/format.h>
#include <libssh/libssh.h>

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <vector>

namespace roadtune::remote {

namespace {

ssh_channel asChannel(void* pointer) { return static_cast<ssh_channel>(pointer); }

}  // namespace

Result<std::unique_ptr<JumpTunnel>> JumpTunnel::open(Session session, const std::string& host, int port) {
  ssh_channel channel = ssh_channel_new(session.raw());
  if (!channel || ssh_channel_open_forward(channel, host.c_str(), port, "127.0.0.1", 0) != SSH_OK) {
    const std::string reason = ssh_get_error(session.raw());
    if (channel) ssh_channel_free(channel);
    return failed(fmt::format("cannot reach {}:{} from there: {}", host, port, reason), session.host().label(),
                  "does the jump host allow forwarding (AllowTcpForwarding) and reach the next one?");
  }
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    ssh_channel_free(channel);
    return systemError("cannot create a socket pair");
  }
  return std::unique_ptr<JumpTunnel>(new JumpTunnel(std::move(session), channel, UniqueFd(pair[0]), UniqueFd(pair[1])));
}

JumpTunnel::JumpTunnel(Session session, void* channel, UniqueFd nearEnd, UniqueFd farEnd)
    : m_session(std::move(session)), m_channel(channel), m_near(std::move(nearEnd)), m_far(std::move(farEnd)) {
  m_thread = std::thread([this] { pump(); });
}

JumpTunnel::~JumpTunnel() {
  m_stop = true;
  m_near.reset();
  m_thread.join();
  ssh_channel_free(asChannel(m_channel));
}

void JumpTunnel::pump() {
  std::vector<char> buffer(64 << 10);
  while (!m_stop) {
    pollfd watched[2] = {{m_far.get(), POLLIN, 0}, {ssh_get_fd(m_session.raw()), POLLIN, 0}};
    ::poll(watched, 2, 50);
    // libssh may hold decrypted bytes while its socket is quiet, so the channel is asked at every turn.
    if (!channelToSocket(buffer.data(), buffer.size())) break;
    if ((watched[0].revents & (POLLIN | POLLHUP)) && !socketToChannel(buffer.data(), buffer.size())) break;
  }
  m_far.reset();
}

bool JumpTunnel::channelToSocket(char* buffer, std::size_t size) {
  while (true) {
    const int count = ssh_channel_read_nonblocking(asChannel(m_channel), buffer, static_cast<std::uint32_t>(size), 0);
    if (count == 0) return !ssh_channel_is_eof(asChannel(m_channel));
    if (count < 0) return false;
    for (int done = 0; done < count;) {
      const ssize_t written = ::send(m_far.get(), buffer + done, static_cast<std::size_t>(count - done), MSG_NOSIGNAL);
      if (written < 0 && errno != EINTR) return false;
      if (written > 0) done += static_cast<int>(written);
    }
  }
}

bool JumpTunnel::socketToChannel(char* buffer, std::size_t size) {
  const ssize_t count = ::recv(m_far.get(), buffer, size, MSG_DONTWAIT);
  if (count == 0) return false;
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  return ssh_channel_write(asChannel(m_channel), buffer, static_cast<std::uint32_t>(count)) == count;
}

}  // namespace roadtune::remote
