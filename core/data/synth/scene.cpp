// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/scene.h"

#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/data/synth/traffic.h"

#include <array>

namespace roadtune::data::synth {

namespace {

constexpr double kBehind = 110, kAhead = 320;  // how far the street is built around the way of the vehicle

template <std::size_t N>
Colour pick(Random& random, const std::array<Colour, N>& colours) {
  return colours[random.below(N)];
}

Colour wallColour(Random& random, Place place) {
  static constexpr std::array<Colour, 8> kCity = {{{176, 92, 74},
                                                   {196, 182, 160},
                                                   {148, 150, 156},
                                                   {214, 200, 172},
                                                   {122, 138, 150},
                                                   {186, 148, 118},
                                                   {224, 218, 206},
                                                   {140, 112, 98}}};
  static constexpr std::array<Colour, 6> kSuburb = {
      {{228, 220, 204}, {196, 206, 208}, {214, 190, 160}, {184, 196, 180}, {236, 232, 226}, {206, 170, 150}}};
  static constexpr std::array<Colour, 5> kDesert = {
      {{220, 186, 146}, {206, 164, 126}, {232, 208, 172}, {196, 150, 118}, {214, 196, 176}}};
  switch (place) {
    case Place::City: return pick(random, kCity);
    case Place::Suburb: return pick(random, kSuburb);
    case Place::Desert: return pick(random, kDesert);
  }
  return {};
}

Building makeBuilding(Random& random, const Scene& scene, double x, int side) {
  Building b;
  b.side = side;
  b.salt = random.next();
  b.wall = wallColour(random, scene.place);
  b.front = scene.road.buildingLine();
  const double width = scene.place == Place::City ? random.uniform(11, 26) : random.uniform(10, 17);
  b.x0 = x;
  b.x1 = x + width;
  b.depth = random.uniform(10, 16);
  if (scene.place == Place::City) {
    b.storey = random.uniform(3.1, 3.9);
    b.height = b.storey * static_cast<double>(2 + random.below(random.uniform() < 0.25 ? 9 : 4)) + 1.2;
    b.bay = random.uniform(2.3, 3.6);
    b.shop = random.uniform() < 0.5;
  } else {
    b.storey = 3.0;
    const bool two = random.uniform() < (scene.place == Place::Suburb ? 0.55 : 0.2);
    b.height = two ? 6.2 : 3.4;
    b.bay = random.uniform(2.8, 4.2);
    b.front += random.uniform(2, 6);
    b.roof = scene.place == Place::Suburb || random.uniform() < 0.4 ? random.uniform(1.6, 2.8) : 0;
  }
  return b;
}

void buildStreet(Random& random, Scene& scene, double from, double to) {
  for (double x = from + random.uniform(40, 130); x < to; x += random.uniform(95, 170))
    scene.road.crossings.push_back(x);
  for (int side : {-1, 1}) {
    double x = from;
    while (x < to) {
      Building b = makeBuilding(random, scene, x, side);
      bool blocked = false;
      for (const double crossing : scene.road.crossings) {
        const double edge = scene.road.crossingHalf + scene.road.pavement + 1;
        if (b.x1 > crossing - edge && b.x0 < crossing + edge) {
          if (crossing - edge - b.x0 > 8) {
            b.x1 = crossing - edge;  // cut short at the corner
          } else {
            x = crossing + edge;
            blocked = true;
          }
          break;
        }
      }
      if (blocked) continue;
      x = b.x1 +
          (scene.place == Place::City ? (random.uniform() < 0.2 ? random.uniform(2, 5) : 0) : random.uniform(3, 9));
      scene.buildings.push_back(b);
    }
  }
}

void plant(Random& random, Scene& scene, double from, double to) {
  const double share = scene.place == Place::City ? 0.55 : scene.place == Place::Suburb ? 0.85 : 0.6;
  for (int side : {-1, 1}) {
    for (double x = from; x < to; x += random.uniform(7, 15)) {
      if (random.uniform() > share || scene.inCrossing(x, 5)) continue;
      Tree tree;
      tree.salt = random.next();
      tree.palm = scene.place == Place::Desert && random.uniform() < 0.65;
      const double y =
          scene.place == Place::City ? scene.road.kerb() + 0.9 : scene.road.pavementEnd() + random.uniform(0.8, 2.4);
      tree.foot = {x, side * y, 0};
      tree.height = tree.palm ? random.uniform(7, 12) : random.uniform(5, 9.5);
      tree.radius = tree.palm ? random.uniform(1.5, 2.1) : tree.height * random.uniform(0.24, 0.36);
      scene.trees.push_back(tree);
    }
  }
}

void furnish(Random& random, Scene& scene, double from, double to) {
  const double kerb = scene.road.kerb();
  for (double x = from + random.uniform(0, 20); x < to; x += 30)
    for (int side : {-1, 1})
      if (!scene.inCrossing(x + side * 7, 2)) scene.lamps.push_back({{x + side * 7, side * (kerb + 0.5), 0}, side});
  for (double x = from + 12; x < to; x += random.uniform(24, 60)) {
    SignPost sign;
    const int side = random.uniform() < 0.6 ? -1 : 1;
    sign.foot = {x, side * (kerb + 0.45), 0};
    sign.facing = side < 0 ? -1 : 1;
    sign.kind = static_cast<SignKind>(random.uniform() < 0.4 ? 3 : random.below(3) == 1 ? 2 : 0);
    sign.salt = random.next();
    if (!scene.inCrossing(x, 1)) scene.signs.push_back(sign);
  }
  for (const double crossing : scene.road.crossings) {
    const double edge = scene.road.crossingHalf + 2.2;
    scene.signs.push_back({{crossing - edge, -(kerb + 0.5), 0}, SignKind::Stop, -1, random.next()});
    scene.signs.push_back({{crossing + edge, kerb + 0.5, 0}, SignKind::Stop, 1, random.next()});
  }
}

void chooseWorld(Random& random, const SceneOptions& options, Scene& scene) {
  static constexpr std::array kPlaces = {Place::City, Place::Desert, Place::Suburb};
  static const std::array<std::string, 3> kNames = {"location_sf", "location_phx", "location_other"};
  const std::size_t place = random.below(3);
  scene.place = kPlaces[place];
  scene.location = kNames[place];
  const double when = random.uniform();
  DayPart part = when < 0.6 ? DayPart::Day : when < 0.78 ? DayPart::Dusk : DayPart::Night;
  for (const DayPart wanted : {DayPart::Day, DayPart::Dusk, DayPart::Night})
    if (options.timeOfDay == dayPartName(wanted)) part = wanted;
  Weather weather = random.uniform() < (scene.place == Place::Desert ? 0.04 : 0.16) ? Weather::Rain : Weather::Sunny;
  for (const Weather wanted : {Weather::Sunny, Weather::Rain})
    if (options.weather == weatherName(wanted)) weather = wanted;
  scene.light = makeLighting(part, weather, random.uniform(-kPi, kPi));
  if (weather == Weather::Sunny) scene.light.cloudCover = random.uniform(0.25, 0.6);
  Road& road = scene.road;
  road.lanesPerSide =
      scene.place == Place::City ? 1 + static_cast<int>(random.below(2)) : 1 + static_cast<int>(random.below(3));
  road.laneWidth = random.uniform(3.3, 3.7);
  road.parking = random.uniform() < 0.8 ? 2.35 : 0.5;
  road.pavement = scene.place == Place::City ? random.uniform(3.0, 4.4) : random.uniform(1.8, 2.4);
  road.verge = scene.place == Place::City ? 0.2 : random.uniform(4, 8);
}

}  // namespace

Vec3 Scene::egoAt(double time) const {
  return {egoSpeed * time, egoLane + 0.15 * sine(0.4 * time + static_cast<double>(seed % 7)), 0};
}

bool Scene::inCrossing(double x, double margin) const {
  for (const double crossing : road.crossings)
    if (x > crossing - road.crossingHalf - margin && x < crossing + road.crossingHalf + margin) return true;
  return false;
}

Scene makeScene(const SceneOptions& options) {
  Random random(mix64(options.seed ^ 0x5ce4e5ULL));
  Scene scene;
  scene.seed = options.seed;
  scene.duration = options.duration;
  chooseWorld(random, options, scene);
  scene.egoSpeed = random.uniform(5, 12.5);
  const int lane = static_cast<int>(random.below(static_cast<std::uint64_t>(scene.road.lanesPerSide)));
  scene.egoLane = -scene.road.laneCentre(lane);
  const double from = -kBehind, to = scene.egoSpeed * options.duration + kAhead;
  buildStreet(random, scene, from, to);
  plant(random, scene, from, to);
  furnish(random, scene, from, to);
  addTraffic(random, scene, from, to);
  return scene;
}

}  // namespace roadtune::data::synth
