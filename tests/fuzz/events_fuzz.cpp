// SPDX-License-Identifier: GPL-3.0-or-later
// Event lines: the fast reader and the plain decoder accept the same lines and say the same of them.
#include "core/protocol/event.h"
#include "core/protocol/flat_event.h"
#include "tests/fuzz/fuzz_file.h"

#include <string_view>

using namespace roadtune;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  if (line.find('\n') != line.npos) return 0;
  protocol::FlatEvent flat;
  const Status fast = flat.parse(line);
  const auto plain = protocol::decode(line);
  if (!fast.ok()) {
    require(!plain.ok() || fast.error().what.find("nested too deeply") != std::string::npos);
    return 0;
  }
  require(plain.ok());
  require(flat.seq == plain.value().seq && flat.rank == plain.value().rank && flat.step == plain.value().step);
  require(flat.kind == plain.value().kind);
  return 0;
}
