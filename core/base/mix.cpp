// SPDX-License-Identifier: GPL-3.0-or-later
// Apart from hash.cpp, so that programs that only mix do not link the cryptography library.
#include "core/base/hash.h"

#include <cstring>

namespace roadtune {

std::uint64_t mix64(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ull;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t state = mix64(seed ^ bytes.size());
  while (bytes.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    state = mix64(state ^ word);
    bytes.remove_prefix(8);
  }
  std::uint64_t tail = 0;
  if (!bytes.empty()) std::memcpy(&tail, bytes.data(), bytes.size());
  return mix64(state ^ tail);
}

}  // namespace roadtune
