// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/car_shape.h"

namespace roadtune::data::synth {

namespace {

// The lower part of a car with a bonnet and, behind the cabin, a boot or none.
std::vector<Vec2> lowerPart(double half, double belt, double bonnet, double boot) {
  return {{-half + 0.04, 0.24},         {-half, 0.5}, {-half + 0.05, boot - 0.06},
          {-half + 0.16, boot},         {-0.1, belt}, {half - 0.55, bonnet},
          {half - 0.08, bonnet - 0.14}, {half, 0.5},  {half - 0.06, 0.22}};
}

CarShape sedan(const Actor& a) {
  const double half = a.length / 2, h = a.height;
  CarShape s;
  s.body = lowerPart(half, 0.66 * h, 0.61 * h, 0.65 * h);
  s.cabin = {{{-half + 0.62, 0.62 * h}, {-half + 1.32, h}, {0.28, h}, {1.05, 0.62 * h}}};
  s.frontAxle = half - 0.88;
  s.rearAxle = -half + 0.95;
  return s;
}

CarShape hatchback(const Actor& a) {
  const double half = a.length / 2, h = a.height;
  CarShape s;
  s.body = lowerPart(half, 0.63 * h, 0.59 * h, 0.63 * h);
  s.cabin = {{{-half + 0.10, 0.60 * h}, {-half + 0.55, h}, {0.25, h}, {1.0, 0.60 * h}}};
  s.frontAxle = half - 0.8;
  s.rearAxle = -half + 0.75;
  return s;
}

CarShape suv(const Actor& a) {
  const double half = a.length / 2, h = a.height;
  CarShape s;
  s.body = lowerPart(half, 0.62 * h, 0.6 * h, 0.62 * h);
  s.cabin = {{{-half + 0.08, 0.59 * h}, {-half + 0.4, h}, {0.45, h}, {1.12, 0.59 * h}}};
  s.roofWidth = 0.84;
  s.wheel = 0.38;
  s.frontAxle = half - 0.9;
  s.rearAxle = -half + 0.9;
  return s;
}

CarShape pickup(const Actor& a) {
  const double half = a.length / 2, h = a.height;
  CarShape s;
  s.body = lowerPart(half, 0.6 * h, 0.6 * h, 0.59 * h);
  s.cabin = {{{-0.75, 0.57 * h}, {-0.62, h}, {0.7, h}, {1.35, 0.57 * h}}};
  s.roofWidth = 0.84;
  s.wheel = 0.4;
  s.frontAxle = half - 1.0;
  s.rearAxle = -half + 1.2;
  return s;
}

CarShape van(const Actor& a) {
  const double half = a.length / 2, h = a.height;
  CarShape s;
  s.hasCabin = false;
  s.body = {{-half + 0.02, 0.28},    {-half, 0.6},    {-half + 0.08, h - 0.06},
            {-half + 0.2, h},        {half - 1.5, h}, {half - 0.62, 0.56 * h},
            {half - 0.06, 0.46 * h}, {half, 0.5},     {half - 0.05, 0.26}};
  s.wheel = 0.36;
  s.frontAxle = half - 0.9;
  s.rearAxle = -half + 1.1;
  s.sideWindows = {{half - 2.25, half - 1.32, 0.56 * h, 0.88 * h}, {half - 3.3, half - 2.4, 0.56 * h, 0.88 * h}};
  return s;
}

CarShape bus(const Actor& a) {
  const double half = a.length / 2, h = a.height;
  CarShape s;
  s.hasCabin = false;
  s.body = {{-half, 0.34}, {-half, h - 0.15}, {-half + 0.15, h}, {half - 0.2, h}, {half - 0.02, h - 0.3}, {half, 0.34}};
  s.wheel = 0.48;
  s.frontAxle = half - 2.2;
  s.rearAxle = -half + 2.4;
  for (double x = -half + 0.5; x + 1.3 < half - 0.2; x += 1.45)
    s.sideWindows.push_back({x, x + 1.3, 0.47 * h, 0.8 * h});
  return s;
}

}  // namespace

CarShape carShape(const Actor& actor) {
  switch (actor.body) {
    case Body::Sedan: return sedan(actor);
    case Body::Hatchback: return hatchback(actor);
    case Body::Suv: return suv(actor);
    case Body::Pickup: return pickup(actor);
    case Body::Van: return van(actor);
    case Body::Bus: return bus(actor);
  }
  return sedan(actor);
}

}  // namespace roadtune::data::synth
