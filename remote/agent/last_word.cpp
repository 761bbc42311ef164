// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/last_word.h"

#include "core/base/text.h"
#include "core/protocol/flat_event.h"

#include <algorithm>
#include <fstream>

namespace roadtune::remote {

std::optional<LastWord> lastWord(const std::filesystem::path& rankEvents, std::uintmax_t begin) {
  std::ifstream in(rankEvents, std::ios::binary | std::ios::ate);
  if (!in) return std::nullopt;
  const std::streamoff size = in.tellg();
  const auto most = static_cast<std::streamoff>(2 * protocol::kMaxLineBytes);
  const std::streamoff from = std::max<std::streamoff>(0, size - most);
  in.seekg(from);
  std::string content(static_cast<std::size_t>(size - from), '\0');
  in.read(content.data(), size - from);
  if (content.empty() || content.back() != '\n') return std::nullopt;
  content.pop_back();
  const std::size_t last = content.rfind('\n') + 1;
  if (static_cast<std::uintmax_t>(from) + last < begin) return std::nullopt;
  const std::string line = content.substr(last);
  protocol::FlatEvent event;
  if (!event.parse(line).ok() || event.kind != "bye") return std::nullopt;
  return LastWord{event.members.textOr("reason"), event.members.textOr("message")};
}

}  // namespace roadtune::remote
