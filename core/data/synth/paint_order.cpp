// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/paint_order.h"

#include <algorithm>

namespace roadtune::data::synth {

namespace {

// On one axis: whether `front` can hide `back`, seen from `eye`, given that a line lies between them.
bool between(double frontLow, double frontHigh, double backLow, double backHigh, double eye) {
  if (frontHigh <= backLow) return eye <= backLow && !(eye >= frontHigh);
  if (backHigh <= frontLow) return eye >= backHigh && !(eye <= frontLow);
  return false;
}

bool mayHide(const PaintItem& front, const PaintItem& back, Vec3 eye) {
  return between(front.x0, front.x1, back.x0, back.x1, eye.x) || between(front.y0, front.y1, back.y0, back.y1, eye.y);
}

}  // namespace

void sortForPainting(std::vector<PaintItem>& items, Vec3 eye) {
  for (PaintItem& item : items) {
    const double x = (item.x0 + item.x1) / 2 - eye.x, y = (item.y0 + item.y1) / 2 - eye.y;
    item.away = x * x + y * y;
  }
  std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.away > b.away; });
  // Taken from far to near; one that still has to wait for something behind it is left for a later round.
  std::vector<PaintItem> order;
  std::vector<bool> done(items.size(), false);
  while (order.size() < items.size()) {
    std::size_t chosen = items.size();
    for (std::size_t i = 0; i < items.size() && chosen == items.size(); ++i) {
      if (done[i]) continue;
      bool waits = false;
      for (std::size_t j = 0; j < items.size() && !waits; ++j)
        waits = j != i && !done[j] && mayHide(items[i], items[j], eye) && !mayHide(items[j], items[i], eye);
      if (!waits) chosen = i;
    }
    if (chosen == items.size())  // a circle: the farthest goes first
      chosen = static_cast<std::size_t>(std::find(done.begin(), done.end(), false) - done.begin());
    done[chosen] = true;
    order.push_back(items[chosen]);
  }
  items = std::move(order);
}

}  // namespace roadtune::data::synth
