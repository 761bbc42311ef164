// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/paint_order.h"

#include <algorithm>
#include <set>

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
  // Taken from far to near; one that has to wait for something behind it comes as soon as that is painted.
  const std::size_t count = items.size();
  std::vector<std::vector<std::size_t>> inFront(count);  // what waits for it
  std::vector<std::size_t> waitsFor(count, 0);
  for (std::size_t back = 0; back < count; ++back)
    for (std::size_t front = 0; front < count; ++front)
      if (front != back && mayHide(items[front], items[back], eye) && !mayHide(items[back], items[front], eye)) {
        inFront[back].push_back(front);
        ++waitsFor[front];
      }
  std::set<std::size_t> left, ready;  // in the order of their distance
  for (std::size_t i = 0; i < count; ++i) {
    left.insert(left.end(), i);
    if (waitsFor[i] == 0) ready.insert(ready.end(), i);
  }
  std::vector<PaintItem> order;
  order.reserve(count);
  while (!left.empty()) {
    const std::size_t chosen = *(ready.empty() ? left : ready).begin();  // in a circle the farthest goes first
    left.erase(chosen);
    ready.erase(chosen);
    order.push_back(items[chosen]);
    for (const std::size_t front : inFront[chosen])
      if (--waitsFor[front] == 0 && left.contains(front)) ready.insert(front);
  }
  items = std::move(order);
}

}  // namespace roadtune::data::synth
