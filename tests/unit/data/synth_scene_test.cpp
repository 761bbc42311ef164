// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/data/synth/canvas.h"
#include "core/data/synth/paint_order.h"
#include "core/data/synth/renderer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace roadtune::data::synth {
namespace {

std::string hashOf(const Image& image) { return sha256Hex(std::span<const std::uint8_t>(image.pixels)); }

// The bounds of all pixels that differ by more than `least`.
VisibleBox changedBounds(const Image& a, const Image& b, int least) {
  VisibleBox box{nullptr, a.width, a.height, 0, 0};
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      int difference = 0;
      for (int c = 0; c < 3; ++c)
        difference = std::max(difference, std::abs(int(a.row(y)[3 * x + c]) - int(b.row(y)[3 * x + c])));
      if (difference <= least) continue;
      box.left = std::min(box.left, x);
      box.right = std::max(box.right, x + 1);
      box.top = std::min(box.top, y);
      box.bottom = std::max(box.bottom, y + 1);
    }
  return box;
}

TEST(Canvas, coversPixelsByTheirExactShare) {
  Canvas canvas(4, 3);
  canvas.beginObject(7);
  const std::vector<Vec2> square = {{0.7, 0.25}, {3, 0.25}, {3, 2}, {0.7, 2}};
  canvas.fill(square, Colour{200, 200, 200});
  EXPECT_NEAR(canvas.image().row(0)[0], 200 * 0.3 * 0.75, 1);
  EXPECT_NEAR(canvas.image().row(0)[3], 200 * 0.75, 1);
  EXPECT_EQ(canvas.image().row(1)[3], 200);
  EXPECT_EQ(canvas.image().row(1)[9], 0);
  EXPECT_EQ(canvas.image().row(2)[3], 0);
  EXPECT_EQ(canvas.objectRow(1)[1], 7);
  EXPECT_EQ(canvas.objectRow(1)[3], 0);
  EXPECT_EQ(canvas.pixelsDrawn(), 2U + 2U);  // the first column is covered too little
}

TEST(Canvas, cutsShapesAtItsBorder) {
  Canvas canvas(10, 10);
  canvas.beginObject(1);
  canvas.fill(std::vector<Vec2>{{-1e5, -1e5}, {1e5, -1e5}, {1e5, 1e5}, {-1e5, 1e5}}, Colour{10, 20, 30});
  EXPECT_EQ(canvas.pixelsDrawn(), 100U);
  canvas.fill(std::vector<Vec2>{{20, 20}, {30, 20}, {30, 30}}, Colour{255, 255, 255});
  canvas.disc({-50, 5}, 20, 20, Colour{255, 255, 255});
  canvas.stroke({5.5, 5.5}, {5.5, 5.5}, 3, 3, Colour{250, 20, 30});
  EXPECT_EQ(canvas.image().row(5)[15], 250);
  EXPECT_EQ(canvas.image().row(0)[0], 10);
}

TEST(PaintOrder, putsTheNearerOverTheFarther) {
  const auto item = [](double x0, double x1, double y0, double y1, int number) {
    static int numbers[10];
    return PaintItem{x0, x1, y0, y1, 0, PaintItem::Kind::Actor, &numbers[number]};
  };
  // A long bus whose middle is farther away than the person behind it.
  std::vector<PaintItem> items = {item(13.9, 14.1, -6.1, -5.9, 0), item(9, 25, -4.7, -2.3, 1), item(5, 7, -1, 1, 2)};
  const PaintItem person = items[0], bus = items[1], car = items[2];
  sortForPainting(items, {0, 0, 2});
  EXPECT_EQ(items[0].what, person.what);
  EXPECT_EQ(items[1].what, bus.what);
  EXPECT_EQ(items[2].what, car.what);
}

TEST(RenderScene, isEqualForEqualSeedsAndDiffersForOthers) {
  const Scene first = makeScene({.seed = 5, .duration = 2}), again = makeScene({.seed = 5, .duration = 2}),
              other = makeScene({.seed = 6, .duration = 2});
  const auto& mount = cameraMount(Camera::FrontLeft);
  const std::string hash = hashOf(renderScene(first, mount, 0.3, {0.15}).image);
  EXPECT_EQ(hash, hashOf(renderScene(again, mount, 0.3, {0.15}).image));
  EXPECT_NE(hash, hashOf(renderScene(other, mount, 0.3, {0.15}).image));
  EXPECT_NE(hash, hashOf(renderScene(first, mount, 0.4, {0.15}).image));
}

// Boxes are exact: taking an actor away changes pixels inside its box and nowhere else, up to its border.
TEST(RenderScene, boxesLieWhereThingsAreDrawn) {
  std::map<LabelType, int> checked;
  for (const std::uint64_t seed : {3, 8, 12, 20}) {
    SceneOptions wanted{.seed = seed, .duration = 2};
    wanted.timeOfDay = "Day";  // lamps shine beyond their bearers
    wanted.weather = "sunny";
    const Scene scene = makeScene(wanted);
    RenderOptions options{0.25};
    options.shadows = false;
    const auto& mount = cameraMount(Camera::Front);
    const Picture all = renderScene(scene, mount, 1, options);
    for (const VisibleBox& box : all.boxes) {
      if (box.visibleShare < 0.999 || box.height() < 8 || checked[box.actor->type] >= 6) continue;
      options.hidden = box.actor;
      const VisibleBox changed = changedBounds(all.image, renderScene(scene, mount, 1, options).image, 40);
      if (changed.right == 0) continue;  // of the colour of what lies behind it
      ++checked[box.actor->type];
      EXPECT_GE(changed.left, box.left - 1);
      EXPECT_GE(changed.top, box.top - 1);
      EXPECT_LE(changed.right, box.right + 1);
      EXPECT_LE(changed.bottom, box.bottom + 1);
      EXPECT_NEAR(changed.width(), box.width(), 0.25 * box.width() + 3);
      EXPECT_NEAR(changed.height(), box.height(), 0.25 * box.height() + 3);
    }
  }
  EXPECT_GE(checked[LabelType::Vehicle], 4);
  EXPECT_GE(checked[LabelType::Pedestrian], 4);
  EXPECT_GE(checked[LabelType::Cyclist], 1);
}

TEST(RenderScene, boxesFitTheProjectionOfTheSolidBox) {
  const Scene scene = makeScene({.seed = 8, .duration = 2});
  const auto& mount = cameraMount(Camera::Front);
  const Picture picture = renderScene(scene, mount, 1, {0.5});
  int checked = 0;
  for (const VisibleBox& box : picture.boxes) {
    const Actor& actor = *box.actor;
    if (actor.type != LabelType::Vehicle || box.truncated) continue;
    const View view(mount, 0.5, scene.egoAt(1));
    const Vec3 place = actor.at(1);
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    for (int corner = 0; corner < 8; ++corner) {
      const auto at =
          view.project(place + Vec3{(corner & 1 ? 0.5 : -0.5) * actor.length, (corner & 2 ? 0.5 : -0.5) * actor.width,
                                    corner & 4 ? actor.height : 0});
      ASSERT_TRUE(at.has_value());
      left = std::min(left, at->x);
      right = std::max(right, at->x);
      top = std::min(top, at->y);
      bottom = std::max(bottom, at->y);
    }
    EXPECT_GE(box.left, left - 2);
    EXPECT_LE(box.right, right + 2);
    EXPECT_GE(box.top, top - 2);
    EXPECT_LE(box.bottom, bottom + 2);
    if (box.visibleShare > 0.99) {
      EXPECT_GT(box.height(), 0.8 * (bottom - top) - 2);
      ++checked;
    }
  }
  EXPECT_GT(checked, 2);
}

TEST(RenderScene, marksWhatTheBorderCutsAndWhatOthersHide) {
  int truncated = 0, hidden = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6})
    for (const Camera camera : {Camera::Front, Camera::SideRight}) {
      const Scene scene = makeScene({.seed = seed, .duration = 2});
      const Picture picture = renderScene(scene, cameraMount(camera), 1, {0.1});
      for (const VisibleBox& box : picture.boxes) {
        EXPECT_GE(box.left, 0);
        EXPECT_LE(box.right, picture.image.width);
        EXPECT_LT(box.left, box.right);
        EXPECT_LE(box.visibleShare, 1.0);
        const bool touches =
            box.left == 0 || box.top == 0 || box.right == picture.image.width || box.bottom == picture.image.height;
        EXPECT_EQ(box.truncated, touches);
        truncated += box.truncated;
        hidden += box.visibleShare < 0.5;
      }
    }
  EXPECT_GT(truncated, 3);
  EXPECT_GT(hidden, 10);
}

TEST(RenderScene, nightIsDarkAndDayIsBright) {
  const auto mean = [](const char* when) {
    SceneOptions wanted{.seed = 4, .duration = 2};
    wanted.timeOfDay = when;
    const Picture picture = renderScene(makeScene(wanted), cameraMount(Camera::Front), 0, {0.1});
    double sum = 0;
    for (const std::uint8_t value : picture.image.pixels) sum += value;
    return sum / static_cast<double>(picture.image.pixels.size());
  };
  EXPECT_LT(mean("Night"), 70);
  EXPECT_GT(mean("Day"), 95);
  EXPECT_GT(mean("Day"), mean("Dawn/Dusk"));
}

TEST(Scene, actorsMoveEvenlyAndKeepTheirNumbers) {
  const Scene scene = makeScene({.seed = 9, .duration = 20});
  std::map<std::uint16_t, int> numbers;
  for (const Actor& actor : scene.actors) {
    ++numbers[actor.number];
    const double step = length(actor.at(1.1) - actor.at(1.0));
    EXPECT_NEAR(step, 0.1 * actor.speed(), 0.06);
  }
  EXPECT_EQ(numbers.size(), scene.actors.size());
  EXPECT_LT(scene.actors.size(), 40000U);
}

TEST(Sine, isASine) {
  for (double x = -20; x < 20; x += 0.37) {
    EXPECT_NEAR(sine(x), std::sin(x), 1e-10);
    EXPECT_NEAR(cosine(x), std::cos(x), 1e-10);
  }
}

}  // namespace
}  // namespace roadtune::data::synth
