// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/ssh/session.h"

#include <string>
#include <vector>

namespace roadtune::remote {

// A command that goes on running over there while its output is read here. Lives on the session's thread and not
// longer than the session; dropping it closes the channel, which ends the command's standard input.
class RemoteProcess {
 public:
  static Result<RemoteProcess> start(Session& session, const std::string& commandLine);
  RemoteProcess(RemoteProcess&& other) noexcept;
  RemoteProcess& operator=(RemoteProcess&& other) noexcept;
  ~RemoteProcess();

  Status write(std::string_view bytes);
  std::size_t room() const;  // what write() would take without waiting for the other side
  void closeInput();         // the command reads the end of its input

  // What has arrived, waiting up to `waitSeconds` for the first byte; empty when nothing did. An error when the
  // connection is gone.
  Result<std::string> read(double waitSeconds);

  bool ended() const;                                     // its output is finished and read
  int exitCode() const;                                   // once ended; -1 when the server did not say
  const std::string& errors() const { return m_errors; }  // its stderr so far

 private:
  explicit RemoteProcess(void* channel) : m_channel(channel) {}
  void* m_channel = nullptr;  // ssh_channel
  bool m_begun = false, m_errorsBegun = false;
  std::string m_greeting;  // what came before the command began to speak
  std::string m_errors;
  std::vector<char> m_buffer;
};

}  // namespace roadtune::remote
