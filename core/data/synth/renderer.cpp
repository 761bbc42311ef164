// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/renderer.h"

#include "core/data/synth/paint_order.h"
#include "core/data/synth/stage.h"

#include <algorithm>

namespace roadtune::data::synth {

namespace {

constexpr double kSightRange = 170;  // nothing small is drawn beyond

struct Drawn {
  const Actor* actor;
  std::uint64_t pixels;
};

void addScenery(const Stage& stage, std::vector<PaintItem>& items) {
  const auto add = [&](Vec3 foot, double reach, PaintItem::Kind kind, const void* what) {
    if (std::abs(foot.x - stage.view.eye().x) > kSightRange) return;
    items.push_back({foot.x - reach, foot.x + reach, foot.y - reach, foot.y + reach, 0, kind, what});
  };
  for (const Tree& tree : stage.scene.trees) add(tree.foot, 0.3, PaintItem::Kind::Tree, &tree);
  for (const Lamp& lamp : stage.scene.lamps) add(lamp.foot, 0.1, PaintItem::Kind::Lamp, &lamp);
  for (const SignPost& sign : stage.scene.signs) add(sign.foot, 0.1, PaintItem::Kind::Sign, &sign);
}

void addActors(const Stage& stage, const RenderOptions& options, std::vector<PaintItem>& items) {
  for (const Actor& actor : stage.scene.actors) {
    const Vec3 foot = actor.at(stage.time);
    if (&actor == options.hidden || std::abs(foot.x - stage.view.eye().x) > kSightRange) continue;
    const bool along = std::abs(cosine(actor.heading)) > 0.7;
    const double x = (along ? actor.length : actor.width) / 2, y = (along ? actor.width : actor.length) / 2;
    items.push_back({foot.x - x, foot.x + x, foot.y - y, foot.y + y, 0, PaintItem::Kind::Actor, &actor});
  }
}

void paintItem(Stage& stage, const PaintItem& item) {
  switch (item.kind) {
    case PaintItem::Kind::Tree: return paintTree(stage, *static_cast<const Tree*>(item.what));
    case PaintItem::Kind::Lamp: return paintLamp(stage, *static_cast<const Lamp*>(item.what));
    case PaintItem::Kind::Sign: return paintSign(stage, *static_cast<const SignPost*>(item.what));
    case PaintItem::Kind::Actor: break;
  }
  const Actor& actor = *static_cast<const Actor*>(item.what);
  if (actor.type == LabelType::Vehicle) return paintVehicle(stage, actor);
  if (actor.type == LabelType::Cyclist) return paintCyclist(stage, actor);
  paintWalker(stage, actor);
}

std::vector<VisibleBox> visibleBoxes(const Canvas& canvas, const Scene& scene, const std::vector<Drawn>& drawn) {
  std::vector<VisibleBox> byNumber(scene.actors.size() + 1);
  std::vector<std::uint64_t> seen(byNumber.size(), 0);
  for (int y = 0; y < canvas.height(); ++y) {
    const auto row = canvas.objectRow(y);
    for (int x = 0; x < canvas.width(); ++x) {
      const std::size_t number = row[static_cast<std::size_t>(x)];
      if (number == 0) continue;
      VisibleBox& box = byNumber[number];
      if (seen[number]++ == 0) box = {nullptr, x, y, x + 1, y + 1};
      box.left = std::min(box.left, x);
      box.right = std::max(box.right, x + 1);
      box.bottom = y + 1;
    }
  }
  std::vector<VisibleBox> boxes;
  for (const Drawn& entry : drawn) {
    VisibleBox box = byNumber[entry.actor->number];
    if (seen[entry.actor->number] == 0) continue;
    box.actor = entry.actor;
    box.visibleShare =
        static_cast<double>(seen[entry.actor->number]) / static_cast<double>(std::max<std::uint64_t>(1, entry.pixels));
    box.truncated = box.left == 0 || box.top == 0 || box.right == canvas.width() || box.bottom == canvas.height();
    boxes.push_back(box);
  }
  std::sort(boxes.begin(), boxes.end(), [](const auto& a, const auto& b) { return a.actor->number < b.actor->number; });
  return boxes;
}

}  // namespace

Picture renderScene(const Scene& scene, const CameraMount& mount, double time, const RenderOptions& options) {
  View view(mount, options.scale, scene.egoAt(time));
  Canvas canvas(view.width(), view.height());
  Stage stage{scene, canvas, view, time};
  paintSky(stage);
  paintSkyline(stage);
  paintGround(stage);
  if (options.shadows) paintShadows(stage);
  paintBuildings(stage);

  std::vector<PaintItem> items;
  addScenery(stage, items);
  addActors(stage, options, items);
  sortForPainting(items, view.eye());
  std::vector<Drawn> drawn;
  for (const PaintItem& item : items) {
    const Actor* actor = item.kind == PaintItem::Kind::Actor ? static_cast<const Actor*>(item.what) : nullptr;
    canvas.beginObject(actor ? actor->number : std::uint16_t{0});
    paintItem(stage, item);
    if (actor) drawn.push_back({actor, canvas.pixelsDrawn()});
  }
  paintRain(stage);
  auto boxes = visibleBoxes(canvas, scene, drawn);
  return {canvas.take(), std::move(boxes)};
}

}  // namespace roadtune::data::synth
