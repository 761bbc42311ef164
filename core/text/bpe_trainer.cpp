// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/bpe_trainer.h"

#include "core/text/utf8.h"

#include <algorithm>
#include <map>

namespace roadtune::text {
namespace {

using Pieces = std::vector<std::string>;
using Pair = std::pair<std::string, std::string>;

Pieces charactersOf(const std::string& word) {
  Pieces pieces;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t length = utf8Length(word, at);
    pieces.push_back(word.substr(at, length));
    at += length;
  }
  return pieces;
}

void applyMerge(Pieces& pieces, const Pair& pair) {
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    if (pieces[i] != pair.first || pieces[i + 1] != pair.second) continue;
    pieces[i] += pieces[i + 1];
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

}  // namespace

std::vector<Pair> trainMerges(const std::vector<std::string>& words) {
  std::vector<Pieces> corpus;
  for (const std::string& word : words) corpus.push_back(charactersOf(word));
  std::vector<Pair> merges;
  for (;;) {
    std::map<Pair, int> counts;
    for (const Pieces& pieces : corpus)
      for (std::size_t i = 0; i + 1 < pieces.size(); ++i) ++counts[{pieces[i], pieces[i + 1]}];
    if (counts.empty()) return merges;
    const auto best = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    merges.push_back(best->first);
    for (Pieces& pieces : corpus) applyMerge(pieces, merges.back());
  }
}

}  // namespace roadtune::text
