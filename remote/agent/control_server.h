// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <filesystem>
#include <functional>
#include <list>
#include <poll.h>
#include <string>
#include <vector>

namespace roadtune::remote {

// The agent's ear: a Unix socket in a folder that only this user can enter. Lines in, one line back for each.
// Peers of another user are turned away (root may ask). Never blocks; the owner polls and calls serve().
class ControlServer {
 public:
  using Handler = std::function<std::string(const std::string& line)>;  // line in, reply out; without newlines

  static Result<ControlServer> listen(const std::filesystem::path& socket);
  ControlServer(ControlServer&&) noexcept = default;
  ControlServer& operator=(ControlServer&&) noexcept = default;
  ~ControlServer();  // removes the socket's file

  const std::filesystem::path& path() const { return m_path; }
  void addTo(std::vector<pollfd>& watched) const;
  void serve(const Handler& handle);  // takes new peers, answers what has come in

 private:
  struct Peer {
    UniqueFd fd;
    std::string pending;
  };
  ControlServer(std::filesystem::path path, UniqueFd fd) : m_path(std::move(path)), m_fd(std::move(fd)) {}
  void acceptPeers();
  bool serve(Peer& peer, const Handler& handle);  // false when it is done with

  std::filesystem::path m_path;
  UniqueFd m_fd;
  std::list<Peer> m_peers;
};

// A folder of this user's own for sockets, mode 0700: XDG_RUNTIME_DIR/roadtune, else /tmp/roadtune-UID.
// Refuses a folder that somebody else has made there.
Result<std::filesystem::path> privateSocketFolder();

// The socket of a run's agent: one name per run folder and node, short enough for the kernel.
Result<std::filesystem::path> agentSocketPath(const std::filesystem::path& run, int node);

}  // namespace roadtune::remote
