// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/records/waymo_types.h"
#include "core/data/synth/lighting.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roadtune::data::synth {

enum class Place { City, Suburb, Desert };
enum class Body { Sedan, Hatchback, Suv, Pickup, Van, Bus };
enum class SignKind { SpeedLimit, Stop, Warning, Parking };

// The cross-section of the straight road, symmetric about y = 0: lanes, a strip for parked cars, kerb, pavement, verge.
struct Road {
  int lanesPerSide = 2;
  double laneWidth = 3.5;
  double parking = 2.3;
  double pavement = 3.2;
  double verge = 3.0;
  std::vector<double> crossings;  // x of the middle of each cross street
  double crossingHalf = 6;        // half its width

  double kerb() const { return lanesPerSide * laneWidth + parking; }
  double pavementEnd() const { return kerb() + pavement; }
  double buildingLine() const { return pavementEnd() + verge; }
  double laneCentre(int lane) const { return (lane + 0.5) * laneWidth; }  // 0 is the innermost
};

struct Building {
  double x0 = 0, x1 = 0;
  int side = 1;                                         // +1 left, -1 right
  double front = 0, depth = 12, height = 10, roof = 0;  // roof: height of the gable above the walls
  Colour wall;
  double storey = 3.3, bay = 3.0;  // distances of windows
  bool shop = false;
  std::uint64_t salt = 0;
};

struct Tree {
  Vec3 foot;
  double height = 7, radius = 2.2;
  bool palm = false;
  std::uint64_t salt = 0;
};

struct Lamp {
  Vec3 foot;
  int side = 1;
};

struct SignPost {
  Vec3 foot;
  SignKind kind = SignKind::SpeedLimit;
  int facing = -1;  // -1: seen by those who drive towards +x
  std::uint64_t salt = 0;
};

// Somebody on the road: a vehicle, a pedestrian or a cyclist. Moves evenly, so that its place at any time is known.
struct Actor {
  LabelType type = LabelType::Vehicle;
  Body body = Body::Sedan;
  std::uint16_t number = 0;  // from 1; the object number on the canvas
  Vec3 start;                // on the ground, at time 0
  Vec3 velocity;
  double heading = 0;
  double sway = 0, swayRate = 0;  // a slow wave added to x (vehicles) or y (walkers)
  double length = 4.6, width = 1.85, height = 1.5;
  Colour paint, second, third;
  double stride = 0;  // phase of the legs
  std::uint64_t salt = 0;

  Vec3 at(double time) const;
  double speed() const { return roadtune::data::synth::length(velocity); }
};

struct SceneOptions {
  std::uint64_t seed = 1;
  double duration = 20;   // seconds
  std::string timeOfDay;  // "Day", "Dawn/Dusk" or "Night"; empty: by chance
  std::string weather;    // "sunny" or "rain"; empty: by chance
};

// A street with everything that stands and moves on it.
struct Scene {
  std::uint64_t seed = 0;
  Place place = Place::City;
  std::string location;  // "location_sf", ...
  Lighting light;
  Road road;
  double duration = 0;
  double egoSpeed = 10;
  double egoLane = 0;  // y of the middle of our lane
  std::vector<Building> buildings;
  std::vector<Tree> trees;
  std::vector<Lamp> lamps;
  std::vector<SignPost> signs;
  std::vector<Actor> actors;

  Vec3 egoAt(double time) const;  // of the vehicle's origin, on the ground
  bool inCrossing(double x, double margin) const;
};

Scene makeScene(const SceneOptions& options);

}  // namespace roadtune::data::synth
