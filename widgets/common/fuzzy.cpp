// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/fuzzy.h"

#include <vector>

namespace roadtune::widgets {

int fuzzyScore(const QString& typed, const QString& candidate) {
  if (typed.isEmpty()) return 1;
  const QString word = candidate.toLower();
  const qsizetype columns = word.size();
  // best[c]: best score of the letters so far with the last one matched at column c; 0 is impossible.
  std::vector<int> best(static_cast<std::size_t>(columns), 0);
  bool first = true;
  for (const QChar raw : typed.toLower()) {
    if (raw.isSpace()) continue;
    std::vector<int> next(static_cast<std::size_t>(columns), 0);
    int reach = 0;  // best score ending left of the column
    for (qsizetype c = 0; c < columns; ++c) {
      const auto i = static_cast<std::size_t>(c);
      if (word[c] == raw && (first || reach > 0)) {
        const bool start = c == 0 || !word[c - 1].isLetterOrNumber();
        int score = (first ? 10 : reach) + (start ? 8 : 0);
        if (!first && c > 0 && best[i - 1] > 0) score = std::max(score, best[i - 1] + 6 + (start ? 8 : 0));
        next[i] = score;
      }
      reach = std::max(reach, best[i]);
    }
    best = std::move(next);
    first = false;
  }
  int score = first ? 1 : 0;
  for (const int value : best) score = std::max(score, value);
  if (score > 0) score = std::max(1, score * 4 - static_cast<int>(columns) / 8);
  return score;
}

}  // namespace roadtune::widgets
