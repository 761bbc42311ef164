// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/temp_folder.h"

#include <string>
#include <sys/types.h>

namespace roadtune::testing {

// A real sshd on the loopback with a host key and a user key of its own; ends with the object. Needs root.
class SshServer {
 public:
  // `extra` is appended to its configuration.
  explicit SshServer(const std::string& extra = {});
  ~SshServer();
  SshServer(const SshServer&) = delete;
  SshServer& operator=(const SshServer&) = delete;

  static bool available();  // root, and sshd installed

  int port() const { return m_port; }
  std::string userKey() const { return m_folder / "user_key"; }          // accepted, no passphrase
  std::string lockedKey() const { return m_folder / "locked_key"; }      // accepted, passphrase "correct horse"
  std::string strangerKey() const { return m_folder / "stranger_key"; }  // not accepted
  std::string fingerprint() const;                                       // of the host key, "SHA256:..."
  const std::filesystem::path& folder() const { return m_folder.path(); }

  void breakConnections();  // kills every open connection; sshd itself goes on
  void changeHostKey();     // as if the machine had been replaced; restarts sshd on the same port

 private:
  void start();
  void stop();
  TempFolder m_folder;
  std::string m_extra;
  int m_port = 0;
  pid_t m_pid = -1;
};

int freePort();

}  // namespace roadtune::testing
