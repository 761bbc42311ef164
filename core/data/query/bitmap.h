// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace roadtune::data {

// How many bits are on. Without the instruction, which not every processor has, the library would look them up in a
// table.
constexpr unsigned onesIn(std::uint64_t word) {
  word -= word >> 1 & 0x5555555555555555ull;
  word = (word & 0x3333333333333333ull) + (word >> 2 & 0x3333333333333333ull);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return static_cast<unsigned>(word * 0x0101010101010101ull >> 56);
}

// One bit per image.
class Bitmap {
 public:
  Bitmap() = default;
  explicit Bitmap(std::size_t size, bool value = false) : m_size(size), m_words((size + 63) / 64, value ? ~0ull : 0) {
    trimEnd();
  }
  explicit Bitmap(const std::vector<std::uint8_t>& bytes);  // of 0 and 1

  std::size_t size() const { return m_size; }
  bool test(std::size_t i) const { return m_words[i / 64] >> (i % 64) & 1; }
  void set(std::size_t i) { m_words[i / 64] |= 1ull << (i % 64); }
  // Sets those of the images from `first` on whose byte is 1; the others stay as they are.
  void setWhere(std::size_t first, const std::uint8_t* bytes, std::size_t count);
  void setRange(std::size_t begin, std::size_t end) {
    while (begin < end && begin % 64) set(begin++);
    for (; begin + 64 <= end; begin += 64) m_words[begin / 64] = ~0ull;
    while (begin < end) set(begin++);
  }

  void intersect(const Bitmap& other) {
    for (std::size_t i = 0; i < m_words.size(); ++i) m_words[i] &= other.m_words[i];
  }
  void unite(const Bitmap& other) {
    for (std::size_t i = 0; i < m_words.size(); ++i) m_words[i] |= other.m_words[i];
  }
  void invert() {
    for (std::uint64_t& word : m_words) word = ~word;
    trimEnd();
  }

  bool any() const {
    for (const std::uint64_t word : m_words)
      if (word) return true;
    return false;
  }
  std::size_t count() const {
    std::size_t total = 0;
    for (const std::uint64_t word : m_words) total += onesIn(word);
    return total;
  }
  std::size_t count(std::size_t begin, std::size_t end) const;
  std::size_t countBoth(const Bitmap& other) const {
    std::size_t total = 0;
    for (std::size_t i = 0; i < m_words.size(); ++i) total += onesIn(m_words[i] & other.m_words[i]);
    return total;
  }

  std::vector<std::uint32_t> places() const;  // of the bits that are on
  template <class F>
  void forEach(F&& visit) const {
    for (std::size_t i = 0; i < m_words.size(); ++i)
      for (std::uint64_t word = m_words[i]; word; word &= word - 1)
        visit(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }

 private:
  void trimEnd() {
    if (m_size % 64 && !m_words.empty()) m_words.back() &= (1ull << (m_size % 64)) - 1;
  }
  std::size_t m_size = 0;
  std::vector<std::uint64_t> m_words;
};

// The lowest bits of 64 bytes.
inline std::uint64_t packed(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
#ifdef __SSE2__
  for (int at = 0; at < 64; at += 16) {
    const __m128i sixteen = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + at));
    word |= std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(_mm_slli_epi16(sixteen, 7)))} << at;
  }
#else
  // The product brings the lowest bits of eight bytes together in the uppermost byte.
  for (int at = 0; at < 64; at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes + at, 8);
    word |= (eight * 0x0102040810204080ull >> 56) << at;
  }
#endif
  return word;
}

inline void Bitmap::setWhere(std::size_t first, const std::uint8_t* bytes, std::size_t count) {
  const std::size_t shift = first % 64;
  std::uint64_t* word = m_words.data() + first / 64;
  std::uint64_t carried = 0;  // what the word before had no room for
  const auto put = [&](std::uint64_t bits) {
    *word++ |= bits << shift | carried;
    carried = shift ? bits >> (64 - shift) : 0;
  };
  for (; count >= 64; count -= 64, bytes += 64) put(packed(bytes));
  if (count > 0) {
    std::array<std::uint8_t, 64> rest{};
    std::memcpy(rest.data(), bytes, count);
    put(packed(rest.data()));
  }
  if (carried) *word |= carried;
}

inline Bitmap::Bitmap(const std::vector<std::uint8_t>& bytes) : Bitmap(bytes.size()) {
  setWhere(0, bytes.data(), bytes.size());
}

inline std::vector<std::uint32_t> Bitmap::places() const {
  std::vector<std::uint32_t> found;
  found.reserve(count());
  forEach([&](std::size_t place) { found.push_back(static_cast<std::uint32_t>(place)); });
  return found;
}

inline std::size_t Bitmap::count(std::size_t begin, std::size_t end) const {
  std::size_t total = 0;
  while (begin < end && begin % 64) total += test(begin++);
  for (; begin + 64 <= end; begin += 64) total += onesIn(m_words[begin / 64]);
  while (begin < end) total += test(begin++);
  return total;
}

}  // namespace roadtune::data
