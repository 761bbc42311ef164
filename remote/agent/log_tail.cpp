// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/log_tail.h"

#include "core/base/text.h"

#include <algorithm>
#include <fstream>

namespace roadtune::remote {

namespace {

constexpr std::streamoff kTailBytes = 64 * 1024;
constexpr std::size_t kShownLimit = 300;

std::string cleaned(std::string line) {
  while (!line.empty() && line.back() == '\r') line.pop_back();
  if (const auto rewritten = line.rfind('\r'); rewritten != std::string::npos) line = line.substr(rewritten + 1);
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\033') {  // an escape sequence ends with a letter
      while (i < line.size() && !((line[i] >= 'a' && line[i] <= 'z') || (line[i] >= 'A' && line[i] <= 'Z'))) ++i;
      continue;
    }
    if (static_cast<unsigned char>(line[i]) >= 0x20 || line[i] == '\t') plain += line[i];
  }
  if (plain.size() > kShownLimit) plain = plain.substr(0, kShownLimit) + "…";
  return toValidUtf8(trim(plain));
}

}  // namespace

std::vector<std::string> lastLines(const std::filesystem::path& log, std::size_t count, std::uintmax_t begin) {
  std::ifstream in(log, std::ios::binary | std::ios::ate);
  if (!in) return {};
  const std::streamoff size = in.tellg();
  const auto first = std::min(size, static_cast<std::streamoff>(begin));
  const std::streamoff from = std::max(first, size - kTailBytes);
  in.seekg(from);
  std::string content(static_cast<std::size_t>(size - from), '\0');
  in.read(content.data(), size - from);
  content.resize(static_cast<std::size_t>(in.gcount()));
  std::vector<std::string> lines;
  for (auto& line : split(content, '\n'))
    if (std::string plain = cleaned(std::move(line)); !plain.empty()) lines.push_back(std::move(plain));
  if (from > first && lines.size() > 1) lines.erase(lines.begin());  // most likely a part of a line
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(count));
  return lines;
}

}  // namespace roadtune::remote
