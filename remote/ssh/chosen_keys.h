// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/unique_fd.h"

#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace roadtune::remote {

// The user's agent as if it had only the keys that these files name: libssh would offer all of its keys, and servers
// end a connection after a few. A socket below a folder of this user's own; everything else is passed on as it comes.
class ChosenKeys {
 public:
  // Nothing where there is no agent, or no public half beside a file or in it.
  static std::unique_ptr<ChosenKeys> open(const std::vector<std::string>& identityFiles);
  ~ChosenKeys();
  ChosenKeys(const ChosenKeys&) = delete;
  ChosenKeys& operator=(const ChosenKeys&) = delete;

  const std::string& socket() const { return m_socket; }

 private:
  ChosenKeys() = default;
  void serve() const;
  void speak(int client) const;
  std::string filtered(const std::string& answer) const;

  std::vector<std::string> m_keys;  // as ssh writes them, in base64
  std::filesystem::path m_folder;
  std::string m_socket;
  UniqueFd m_listening, m_agent;
  std::jthread m_thread;
};

}  // namespace roadtune::remote
