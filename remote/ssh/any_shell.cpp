// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/any_shell.h"

#include <fmt/format.h>

namespace roadtune::remote {

namespace {

constexpr const char* kMark = "roadtune-begins";

// A word between single quotes. Of what shells still look at there (fish at backslashes, csh at exclamation marks and
// the ends of lines) nothing is left: printf(1) makes it again of its number.
std::string encoded(const std::string& text) {
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7e || c == '\\' || c == '\'' || c == '!')
      word += fmt::format("\\0{:03o}", static_cast<unsigned>(byte));
    else
      word += c;
  }
  return word;
}

}  // namespace

std::string forAnyShell(const std::string& commandLine) {
  return fmt::format("exec sh -c 'echo {0}; echo {0} >&2; exec sh -c \"$(printf %b \"$1\")\"' sh '{1}'", kMark,
                     encoded(commandLine));
}

bool dropGreeting(std::string& stream) {
  const std::string mark = std::string(kMark) + "\n";  // with its end of line: a shell that shows commands has it, too
  const auto at = stream.find(mark);
  if (at == std::string::npos) return false;
  stream.erase(0, at + mark.size());
  return true;
}

}  // namespace roadtune::remote
