// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <optional>
#include <string>

namespace roadtune::remote {

// A host key nobody has vouched for yet.
struct UnknownKey {
  std::string host;         // label of the host
  std::string type;         // "ssh-ed25519"
  std::string fingerprint;  // "SHA256:..."
};

// Questions a connection may have to ask. An absent function answers no. Called on the connecting thread.
// Answers are never written to a file, a log or an argument list.
struct Prompts {
  std::function<bool(const UnknownKey&)> trustUnknownKey;                            // yes: stored in known_hosts
  std::function<std::optional<std::string>(const std::string& keyFile)> passphrase;  // of a private key
  std::function<std::optional<std::string>(const std::string& host)> password;
  // keyboard-interactive; the question begins with the host's label
  std::function<std::optional<std::string>(const std::string& question, bool echo)> reply;
  // Something of ssh_config that is not followed; told at every connection, for whoever shows it to show it once.
  std::function<void(const std::string& note)> note = {};
  // An answer about this key file or host was not accepted: whoever remembers answers forgets those.
  std::function<void(const std::string& keyFileOrHost)> refused;
};

}  // namespace roadtune::remote
