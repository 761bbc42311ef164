// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/ssh/host_spec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::remote {

// Reads ssh_config the way OpenSSH does (first value wins; Host patterns with negation, Include, Match all | host |
// originalhost | user) for the keywords a launch needs. Every other keyword that applies to the host is reported in
// HostSpec::notes, never silently ignored; one that changes where a connection leads is refused.
class SshConfig {
 public:
  // A missing file is an empty configuration.
  static Result<SshConfig> load(const std::filesystem::path& file);
  static std::filesystem::path defaultFile();  // ROADTUNE_SSH_CONFIG, else ~/.ssh/config

  // `target` is a machine as ssh_target.h reads it; what is written there wins over the file.
  Result<HostSpec> resolve(const std::string& target) const;

  // Names a user could pick: Host patterns without wildcards, in file order.
  std::vector<std::string> hostNames() const;

 private:
  struct Line {
    std::string keyword;  // lower case
    std::vector<std::string> words;
    std::string place;  // file:line
  };
  Status read(const std::filesystem::path& file, int depth);
  std::vector<Line> m_lines;
};

// Shell-style pattern of ssh_config: '*' and '?'.
bool matchesPattern(const std::string& pattern, const std::string& text);

}  // namespace roadtune::remote
