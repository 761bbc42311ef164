// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace roadtune::data {

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

  std::size_t count() const {
    std::size_t total = 0;
    for (const std::uint64_t word : m_words) total += static_cast<std::size_t>(std::popcount(word));
    return total;
  }
  std::size_t count(std::size_t begin, std::size_t end) const;
  std::size_t countBoth(const Bitmap& other) const {
    std::size_t total = 0;
    for (std::size_t i = 0; i < m_words.size(); ++i)
      total += static_cast<std::size_t>(std::popcount(m_words[i] & other.m_words[i]));
    return total;
  }

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

// Eight bytes at a time: the product brings their lowest bits together in the uppermost byte.
inline Bitmap::Bitmap(const std::vector<std::uint8_t>& bytes) : Bitmap(bytes.size()) {
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data() + i, 8);
    m_words[i / 64] |= (eight * 0x0102040810204080ull >> 56) << (i % 64);
  }
  for (; i < bytes.size(); ++i) m_words[i / 64] |= std::uint64_t{bytes[i] != 0} << (i % 64);
}

inline std::size_t Bitmap::count(std::size_t begin, std::size_t end) const {
  std::size_t total = 0;
  while (begin < end && begin % 64) total += test(begin++);
  for (; begin + 64 <= end; begin += 64) total += static_cast<std::size_t>(std::popcount(m_words[begin / 64]));
  while (begin < end) total += test(begin++);
  return total;
}

}  // namespace roadtune::data
