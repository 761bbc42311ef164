// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/ssh_target.h"

#include <string_view>

namespace roadtune::remote {

namespace {

constexpr std::string_view kScheme = "ssh://";

Result<int> portIn(const std::string& digits, const std::string& text) {
  if (digits.empty() || digits.size() > 5 || digits.find_first_not_of("0123456789") != std::string::npos ||
      std::stoi(digits) > 65535 || std::stoi(digits) == 0)
    return badInput("is not a port number", text, "write host:22");
  return std::stoi(digits);
}

}  // namespace

Result<SshTarget> parseSshTarget(const std::string& text) {
  const Error unclear = badInput("is not a host name", text, "write user@host or host:port");
  SshTarget target;
  std::string rest = text;
  if (rest.starts_with(kScheme)) {
    rest.erase(0, kScheme.size());
    if (rest.ends_with('/')) rest.pop_back();
    if (rest.find('/') != std::string::npos) return unclear;
  }
  if (const auto at = rest.rfind('@'); at != std::string::npos) {
    target.user = rest.substr(0, at);
    rest.erase(0, at + 1);
  }
  std::string::size_type colon = rest.rfind(':');
  if (rest.starts_with('[')) {
    const auto close = rest.find(']');
    if (close == std::string::npos || (close + 1 < rest.size() && rest[close + 1] != ':')) return unclear;
    target.alias = rest.substr(1, close - 1);
    colon = close + 1 < rest.size() ? close + 1 : std::string::npos;
  } else {
    if (colon != std::string::npos && rest.find(':') != colon) colon = std::string::npos;  // a bare IPv6 address
    target.alias = rest.substr(0, colon);
  }
  if (colon != std::string::npos) {
    ROADTUNE_TRY(target.port, portIn(rest.substr(colon + 1), text));
  }
  if (target.alias.empty() || target.alias[0] == '-') return unclear;
  return target;
}

}  // namespace roadtune::remote
