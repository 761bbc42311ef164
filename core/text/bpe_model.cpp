// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/bpe_model.h"

#include "core/text/utf8.h"

#include <fmt/format.h>

#include <queue>

#include <algorithm>

namespace roadtune::text {
namespace {

std::uint64_t pairKey(BpeModel::Id left, BpeModel::Id right) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) | static_cast<std::uint32_t>(right);
}

struct Candidate {
  std::uint32_t rank = 0;
  std::int32_t position = 0;
  BpeModel::Id result = 0;
  // The queue's top is the best rank, then the leftmost.
  bool operator<(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : position > other.position;
  }
};

}  // namespace

// A link of the chain that merging shortens.
struct BpeModel::Symbol {
  Id id = 0;
  std::int32_t previous = -1, next = -1;
  bool alive = true;
};

Result<BpeModel> BpeModel::create(std::vector<std::pair<std::string, Id>> vocabulary,
                                  const std::vector<std::pair<std::string, std::string>>& merges, Options options) {
  constexpr Id kLargestId = 1 << 24;
  BpeModel model;
  model.m_options = std::move(options);
  model.m_ids.reserve(vocabulary.size());
  for (auto& [piece, id] : vocabulary) {
    if (id < 0 || id >= kLargestId) return badInput(fmt::format("'{}' has the id {}", piece, id));
    if (static_cast<std::size_t>(id) >= model.m_pieces.size()) model.m_pieces.resize(static_cast<std::size_t>(id) + 1);
    model.m_pieces[static_cast<std::size_t>(id)] = piece;
    if (!model.m_ids.emplace(std::move(piece), id).second)
      return badInput(fmt::format("'{}' is in the vocabulary twice", model.m_pieces[static_cast<std::size_t>(id)]));
  }
  for (int byte = 0; byte < 256; ++byte)
    model.m_byteIds[static_cast<std::size_t>(byte)] = model.idOf(fmt::format("<0x{:02X}>", byte));
  if (!model.m_options.unknown.empty()) model.m_unknown = model.idOf(model.m_options.unknown);
  model.m_merges.reserve(merges.size());
  std::uint32_t rank = 0;
  for (const auto& [left, right] : merges) {
    const Id l = model.idOf(left), r = model.idOf(right), both = model.idOf(left + right);
    if (l < 0 || r < 0 || both < 0)
      return badInput(
          fmt::format("merge {} ('{}' '{}') uses a piece that is not in the vocabulary", rank, left, right));
    model.m_merges[pairKey(l, r)] = {rank++, both};
  }
  return model;
}

BpeModel::Id BpeModel::idOf(std::string_view piece) const {
  const auto found = m_ids.find(piece);
  return found == m_ids.end() ? -1 : found->second;
}

const std::string& BpeModel::pieceOf(std::int64_t id) const {
  static const std::string kNone;
  return id >= 0 && id < static_cast<std::int64_t>(m_pieces.size()) ? m_pieces[static_cast<std::size_t>(id)] : kNone;
}

const BpeModel::Merge* BpeModel::mergeOf(Id left, Id right) const {
  const auto found = m_merges.find(pairKey(left, right));
  return found == m_merges.end() ? nullptr : &found->second;
}

// One symbol per character, byte, or run of unknown characters. A pending unknown run is written when a known
// character follows; bytes in between come before it, which is how the reference behaves.
std::vector<BpeModel::Symbol> BpeModel::symbolsOf(std::string_view piece) const {
  std::vector<Symbol> symbols;
  symbols.reserve(piece.size());
  bool pendingUnknown = false;
  const auto add = [&](Id id) {
    Symbol symbol;
    symbol.id = id;
    symbols.push_back(symbol);
  };
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t length = utf8Length(piece, at);
    const std::string_view character = piece.substr(at, length);
    at += length;
    if (const Id id = idOf(character); id >= 0) {
      if (pendingUnknown) add(m_unknown);
      pendingUnknown = false;
      add(id);
      continue;
    }
    const auto byteId = [&](char byte) { return m_byteIds[static_cast<unsigned char>(byte)]; };
    if (m_options.byteFallback &&
        std::all_of(character.begin(), character.end(), [&](char byte) { return byteId(byte) >= 0; })) {
      for (const char byte : character) add(byteId(byte));
      continue;
    }
    if (m_unknown < 0) continue;
    if (pendingUnknown && !m_options.fuseUnknown) add(m_unknown);
    pendingUnknown = true;
  }
  if (pendingUnknown) add(m_unknown);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    symbols[i].previous = static_cast<std::int32_t>(i) - 1;
    symbols[i].next = i + 1 < symbols.size() ? static_cast<std::int32_t>(i) + 1 : -1;
  }
  return symbols;
}

void BpeModel::mergeAll(std::vector<Symbol>& symbols) const {
  std::priority_queue<Candidate> queue;
  const auto offer = [&](std::int32_t left) {
    if (left < 0) return;
    const Symbol& symbol = symbols[static_cast<std::size_t>(left)];
    if (symbol.next < 0) return;
    if (const Merge* merge = mergeOf(symbol.id, symbols[static_cast<std::size_t>(symbol.next)].id))
      queue.push({merge->rank, left, merge->result});
  };
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) offer(static_cast<std::int32_t>(i));
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = symbols[static_cast<std::size_t>(best.position)];
    if (!left.alive || left.next < 0) continue;
    Symbol& right = symbols[static_cast<std::size_t>(left.next)];
    const Merge* merge = mergeOf(left.id, right.id);  // the neighbours may have changed since the offer
    if (!merge || merge->result != best.result) continue;
    left.id = best.result;
    left.next = right.next;
    right.alive = false;
    if (left.next >= 0) symbols[static_cast<std::size_t>(left.next)].previous = best.position;
    offer(left.previous);
    offer(best.position);
  }
}

void BpeModel::encode(std::string_view piece, std::vector<std::int64_t>& ids) const {
  std::vector<Symbol> symbols = symbolsOf(piece);
  mergeAll(symbols);
  for (const Symbol& symbol : symbols)
    if (symbol.alive) ids.push_back(symbol.id);
}

}  // namespace roadtune::text
