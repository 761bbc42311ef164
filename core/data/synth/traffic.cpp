// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/traffic.h"

#include <array>
#include <cmath>

namespace roadtune::data::synth {

namespace {

constexpr std::array<Colour, 12> kPaints = {{{236, 238, 240},
                                             {228, 230, 232},
                                             {34, 36, 40},
                                             {46, 48, 54},
                                             {150, 154, 160},
                                             {118, 122, 130},
                                             {172, 176, 180},
                                             {164, 30, 34},
                                             {36, 74, 138},
                                             {30, 58, 92},
                                             {92, 102, 88},
                                             {186, 160, 118}}};
constexpr std::array<Colour, 10> kTops = {{{196, 52, 48},
                                           {44, 84, 150},
                                           {238, 236, 228},
                                           {40, 42, 48},
                                           {226, 168, 48},
                                           {70, 120, 84},
                                           {132, 82, 140},
                                           {222, 112, 62},
                                           {108, 150, 190},
                                           {150, 150, 154}}};
constexpr std::array<Colour, 5> kTrousers = {
    {{42, 54, 86}, {36, 36, 40}, {92, 84, 74}, {70, 92, 130}, {150, 136, 112}}};
constexpr std::array<Colour, 4> kSkins = {{{232, 190, 160}, {200, 152, 120}, {150, 104, 78}, {104, 72, 54}}};

template <std::size_t N>
Colour pickPaint(Random& random, const std::array<Colour, N>& colours) {
  return colours[random.below(N)];
}

void giveBody(Random& random, Actor& actor) {
  const double kind = random.uniform();
  struct Shape {
    double until;
    Body body;
    double length, width, height;
  };
  static constexpr std::array<Shape, 6> kShapes = {{{0.36, Body::Sedan, 4.7, 1.85, 1.46},
                                                    {0.54, Body::Hatchback, 4.2, 1.78, 1.52},
                                                    {0.78, Body::Suv, 4.8, 1.95, 1.76},
                                                    {0.87, Body::Pickup, 5.6, 2.0, 1.86},
                                                    {0.95, Body::Van, 5.4, 2.0, 2.2},
                                                    {1.01, Body::Bus, 10.5, 2.5, 3.1}}};
  for (const auto& shape : kShapes) {
    if (kind >= shape.until) continue;
    const double grow = random.uniform(0.96, 1.05);
    actor.body = shape.body;
    actor.length = shape.length * grow;
    actor.width = shape.width;
    actor.height = shape.height * random.uniform(0.97, 1.04);
    break;
  }
  actor.paint = pickPaint(random, kPaints);
  if (actor.body == Body::Bus) actor.paint = random.uniform() < 0.5 ? Colour{210, 206, 196} : Colour{196, 86, 40};
  if (actor.body == Body::Van && random.uniform() < 0.6) actor.paint = {238, 238, 236};
}

Actor makeVehicle(Random& random, Scene& scene, double x, double y, double speed) {
  Actor actor;
  actor.type = LabelType::Vehicle;
  actor.salt = random.next();
  giveBody(random, actor);
  actor.start = {x, y, 0};
  actor.velocity = {speed, 0, 0};
  actor.heading = y > 0 ? kPi : 0;
  if (speed != 0) {
    actor.sway = random.uniform(0.2, 1.2);
    actor.swayRate = random.uniform(0.15, 0.35);
  }
  actor.number = static_cast<std::uint16_t>(scene.actors.size() + 1);
  return actor;
}

void addMovingLane(Random& random, Scene& scene, int lane, int side, double from, double to) {
  const double y = side * scene.road.laneCentre(lane);
  const bool ours = std::abs(y - scene.egoLane) < 0.5;
  double speed = side < 0 ? scene.egoSpeed * random.uniform(0.85, 1.2) : -random.uniform(7, 13);
  if (ours) speed = scene.egoSpeed;
  const double sweep = std::abs(speed) * scene.duration + scene.egoSpeed * scene.duration;
  const double first = side < 0 ? from - 40 : from, last = side < 0 ? to : to + sweep;
  for (double x = first + random.uniform(0, 30); x < last;) {
    Actor actor = makeVehicle(random, scene, x, y + random.uniform(-0.25, 0.25), speed);
    const double gap = actor.length + random.uniform(9, 60);
    const bool clear = !ours || x > 16 || x < -16;
    if (clear) scene.actors.push_back(actor);
    x += gap;
  }
}

void addParked(Random& random, Scene& scene, int side, double from, double to) {
  if (scene.road.parking < 2) return;
  const double share = random.uniform(0.25, 0.75);
  for (double x = from; x < to;) {
    Actor actor = makeVehicle(random, scene, x, side * (scene.road.kerb() - 1.12), 0);
    const double slot = actor.length + random.uniform(0.9, 2.2);
    actor.start.x += actor.length / 2;
    if (random.uniform() < share && actor.body != Body::Bus && !scene.inCrossing(x + slot / 2, slot / 2 + 5))
      scene.actors.push_back(actor);
    x += slot;
  }
}

void dress(Random& random, Actor& actor) {
  actor.paint = pickPaint(random, kTops);
  actor.second = pickPaint(random, kTrousers);
  actor.third = pickPaint(random, kSkins);
  actor.stride = random.uniform(0, 1);
  actor.salt = random.next();
}

void addWalkers(Random& random, Scene& scene, double from, double to) {
  const double gap = scene.place == Place::City ? 9 : 22;
  for (int side : {-1, 1}) {
    for (double x = from; x < to; x += random.uniform(1, 2 * gap)) {
      Actor actor;
      actor.type = LabelType::Pedestrian;
      dress(random, actor);
      const double lane = scene.road.kerb() + random.uniform(0.9, scene.road.pavement - 0.3);
      const int way = random.uniform() < 0.5 ? -1 : 1;
      const bool stands = random.uniform() < 0.15;
      actor.start = {x, side * lane, 0};
      actor.velocity = {stands ? 0 : way * random.uniform(0.9, 1.7), 0, 0};
      actor.heading = way > 0 ? 0 : kPi;
      actor.height = random.uniform(1.55, 1.9);
      actor.length = actor.width = 0.6;
      actor.number = static_cast<std::uint16_t>(scene.actors.size() + 1);
      scene.actors.push_back(actor);
    }
  }
}

// People who cross the street where a zebra is, so that some stand right in front of the camera.
void addCrossers(Random& random, Scene& scene) {
  for (const double crossing : scene.road.crossings) {
    const auto count = random.below(scene.place == Place::City ? 6 : 3);
    for (std::uint64_t i = 0; i < count; ++i) {
      Actor actor;
      actor.type = LabelType::Pedestrian;
      dress(random, actor);
      const int way = random.uniform() < 0.5 ? -1 : 1;
      const double speed = random.uniform(1.0, 1.6);
      const double meet =
          (crossing - scene.road.crossingHalf - 12) / scene.egoSpeed;  // we are then a dozen metres away
      const double across = random.uniform(-scene.road.kerb(), scene.road.kerb());
      const double side = random.uniform() < 0.7 ? -1 : 1;
      actor.start = {crossing + side * (scene.road.crossingHalf + 2 + random.uniform(-0.9, 0.9)),
                     across - way * speed * meet, 0};
      actor.velocity = {0, way * speed, 0};
      actor.heading = way > 0 ? kPi / 2 : -kPi / 2;
      actor.height = random.uniform(1.5, 1.9);
      actor.length = actor.width = 0.6;
      actor.number = static_cast<std::uint16_t>(scene.actors.size() + 1);
      scene.actors.push_back(actor);
    }
  }
}

void addCyclists(Random& random, Scene& scene, double from, double to) {
  for (int side : {-1, 1}) {
    const double speed = side < 0 ? random.uniform(4, 6.5) : -random.uniform(4, 6.5);
    const double sweep = (std::abs(speed) + scene.egoSpeed) * scene.duration;
    for (double x = from - 40 + random.uniform(0, 30); x < to + (side > 0 ? sweep : 0); x += random.uniform(25, 80)) {
      Actor actor;
      actor.type = LabelType::Cyclist;
      dress(random, actor);
      actor.second = pickPaint(random, kTrousers);
      actor.start = {x, side * (scene.road.lanesPerSide * scene.road.laneWidth - 0.35 + random.uniform(-0.15, 0.1)), 0};
      actor.velocity = {speed, 0, 0};
      actor.heading = side > 0 ? kPi : 0;
      actor.height = random.uniform(1.65, 1.85);
      actor.length = 1.75;
      actor.width = 0.65;
      actor.number = static_cast<std::uint16_t>(scene.actors.size() + 1);
      scene.actors.push_back(actor);
    }
  }
}

}  // namespace

Vec3 Actor::at(double time) const {
  Vec3 place = start + velocity * time;
  if (sway > 0) place.x += sway * sine(swayRate * time + stride * 6);
  return place;
}

void addTraffic(Random& random, Scene& scene, double from, double to) {
  for (int lane = 0; lane < scene.road.lanesPerSide; ++lane)
    for (int side : {-1, 1}) addMovingLane(random, scene, lane, side, from, to);
  for (int side : {-1, 1}) addParked(random, scene, side, from, to);
  addWalkers(random, scene, from, to);
  addCrossers(random, scene);
  addCyclists(random, scene, from, to);
}

}  // namespace roadtune::data::synth
