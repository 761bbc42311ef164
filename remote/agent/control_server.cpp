// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/control_server.h"

#include "core/base/files.h"
#include "core/base/hash.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace roadtune::remote {

namespace {

constexpr std::size_t kPendingLimit = 16 * 1024;
constexpr std::size_t kPeerLimit = 32;

bool isWelcome(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && (peer.uid == ::geteuid() || peer.uid == 0);
}

}  // namespace

Result<fs::path> privateSocketFolder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const bool given = runtime && *runtime && ::access(runtime, W_OK) == 0;
  const fs::path folder =
      given ? fs::path(runtime) / "roadtune" : fs::path(fmt::format("/tmp/roadtune-{}", ::geteuid()));
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return systemError("cannot make a private folder for the control socket", folder.string());
  struct stat info {};
  if (::lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::geteuid())
    return failed("is not a folder of yours; control sockets will not be put there", folder.string(),
                  "remove it, or set XDG_RUNTIME_DIR");
  if ((info.st_mode & 0777) != 0700 && ::chmod(folder.c_str(), 0700) != 0)
    return systemError("cannot make private", folder.string());
  return folder;
}

Result<fs::path> agentSocketPath(const fs::path& run, int node) {
  ROADTUNE_TRY(const fs::path folder, privateSocketFolder());
  std::error_code ignored;
  const fs::path canonical = fs::weakly_canonical(run, ignored);
  return folder / fmt::format("{:016x}-{:02}.sock", hash64(canonical.string()), node);
}

Result<ControlServer> ControlServer::listen(const fs::path& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.string().size() >= sizeof address.sun_path)
    return failed("the path is too long for a socket", socket.string(), "set XDG_RUNTIME_DIR to a shorter folder");
  std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return systemError("cannot make a socket");
  ::unlink(socket.c_str());  // of an agent that was killed: the run's lock says that it is gone
  if (::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(fd.get(), 8) != 0)
    return systemError("cannot listen", socket.string());
  ::chmod(socket.c_str(), 0600);
  return ControlServer(socket, std::move(fd));
}

ControlServer::~ControlServer() {
  if (m_fd.valid()) ::unlink(m_path.c_str());
}

void ControlServer::addTo(std::vector<pollfd>& watched) const {
  watched.push_back({m_fd.get(), POLLIN, 0});
  for (const auto& peer : m_peers) watched.push_back({peer.fd.get(), POLLIN, 0});
}

void ControlServer::acceptPeers() {
  while (true) {
    UniqueFd fd(::accept4(m_fd.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd.valid()) return;
    if (isWelcome(fd.get()) && m_peers.size() < kPeerLimit) m_peers.push_back({std::move(fd), {}});
  }
}

bool ControlServer::serve(Peer& peer, const Handler& handle) {
  char buffer[4096];
  while (true) {
    const ssize_t count = ::read(peer.fd.get(), buffer, sizeof buffer);
    if (count == 0) return false;
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    peer.pending.append(buffer, static_cast<std::size_t>(count));
    for (std::size_t end = 0; (end = peer.pending.find('\n')) != std::string::npos;) {
      const std::string reply = handle(peer.pending.substr(0, end)) + "\n";
      peer.pending.erase(0, end + 1);
      if (::send(peer.fd.get(), reply.data(), reply.size(), MSG_NOSIGNAL) < 0) return false;
    }
    if (peer.pending.size() > kPendingLimit) return false;
  }
}

void ControlServer::serve(const Handler& handle) {
  acceptPeers();
  for (auto peer = m_peers.begin(); peer != m_peers.end();)
    peer = serve(*peer, handle) ? std::next(peer) : m_peers.erase(peer);
}

}  // namespace roadtune::remote
