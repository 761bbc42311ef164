// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/control_client.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/unique_fd.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace roadtune::remote {

namespace {
constexpr double kReplyLimit = 5;  // seconds
}

Result<std::string> askSocket(const fs::path& socket, const std::string& line, const std::string& who) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.string().size() >= sizeof address.sun_path)
    return failed("the socket's path is too long", socket.string());
  std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
  const UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd.valid() || ::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return systemError(who + " does not answer", socket.string());
  const std::string text = line + "\n";
  if (::send(fd.get(), text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
    return systemError(who + " does not listen", socket.string());
  std::string reply;
  const double deadline = monotonicSeconds() + kReplyLimit;
  while (reply.find('\n') == std::string::npos) {
    pollfd watched{fd.get(), POLLIN, 0};
    const double left = deadline - monotonicSeconds();
    if (left <= 0) return failed(who + " gave no answer within 5 s", socket.string());
    if (::poll(&watched, 1, static_cast<int>(left * 1000) + 1) <= 0) continue;
    char buffer[1024];
    const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
    if (count == 0 || (count < 0 && errno != EINTR)) return failed(who + " hung up", socket.string());
    if (count > 0) reply.append(buffer, static_cast<std::size_t>(count));
  }
  return reply.substr(0, reply.find('\n'));
}

}  // namespace roadtune::remote
