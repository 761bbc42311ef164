// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "remote/ssh/session.h"

#include <atomic>
#include <string>
#include <thread>

namespace roadtune::remote {

// A TCP connection from a jump host onwards, offered here as a local socket. A thread of its own owns the session to
// the jump host and moves the bytes; it ends with the object, or when either side closes.
class JumpTunnel {
 public:
  // Takes the session over. socket() is then connected to host:port as seen from the jump host.
  static Result<std::unique_ptr<JumpTunnel>> open(Session session, const std::string& host, int port);
  ~JumpTunnel();

  // The near end; the caller owns it from now on.
  UniqueFd takeSocket() { return std::move(m_near); }

 private:
  JumpTunnel(Session session, void* channel, UniqueFd nearEnd, UniqueFd farEnd);
  void pump();
  bool channelToSocket(char* buffer, std::size_t size);
  bool socketToChannel(char* buffer, std::size_t size);

  Session m_session;
  void* m_channel;  // ssh_channel
  UniqueFd m_near, m_far;
  std::atomic<bool> m_stop{false};
  std::thread m_thread;
};

}  // namespace roadtune::remote
