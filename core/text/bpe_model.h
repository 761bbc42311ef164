// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace roadtune::text {

// Byte-pair encoding with byte fallback: characters become ids, then the pair with the best rank merges until none is
// left. A character that the vocabulary lacks becomes its bytes, or the unknown id (runs of it may count once).
class BpeModel {
 public:
  using Id = std::int32_t;

  struct Options {
    bool byteFallback = true;
    bool fuseUnknown = true;
    std::string unknown = "<unk>";  // empty: unknown characters vanish
  };

  // `merges` are pairs of pieces, best first. Every piece must be in the vocabulary.
  static Result<BpeModel> create(std::vector<std::pair<std::string, Id>> vocabulary,
                                 const std::vector<std::pair<std::string, std::string>>& merges, Options options);

  void encode(std::string_view piece, std::vector<std::int64_t>& ids) const;  // appends

  Id idOf(std::string_view piece) const;              // -1: not in the vocabulary
  const std::string& pieceOf(std::int64_t id) const;  // empty: no such id
  Id size() const { return static_cast<Id>(m_pieces.size()); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct Merge {
    std::uint32_t rank = 0;
    Id result = 0;
  };
  struct Symbol;
  const Merge* mergeOf(Id left, Id right) const;
  std::vector<Symbol> symbolsOf(std::string_view piece) const;
  void mergeAll(std::vector<Symbol>& symbols) const;

  Options m_options;
  std::unordered_map<std::string, Id, Hash, std::equal_to<>> m_ids;
  std::vector<std::string> m_pieces;
  std::unordered_map<std::uint64_t, Merge> m_merges;
  std::array<Id, 256> m_byteIds{};
  Id m_unknown = -1;
};

}  // namespace roadtune::text
