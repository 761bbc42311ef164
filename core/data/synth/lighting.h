// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/colour.h"

#include <string>

namespace roadtune::data::synth {

enum class DayPart { Day, Dusk, Night };
enum class Weather { Sunny, Rain };

// The words of the dataset: "Day", "Dawn/Dusk", "Night"; "sunny", "rain".
std::string dayPartName(DayPart part);
std::string weatherName(Weather weather);

// What light there is, and what it does to a surface.
struct Lighting {
  DayPart part = DayPart::Day;
  Weather weather = Weather::Sunny;
  Vec3 sun;  // towards it
  Colour skyTop, skyMiddle, skyLow, sunGlow, cloudLight, cloudDark;
  Colour direct, ambient;  // factors on a surface's colour
  Colour haze;             // what distance fades into
  double hazeRange = 400;  // metres after which half of a colour is gone
  double cloudCover = 0.5;
  double shadow = 0.4;  // darkness of cast shadows
  bool lamps = false;   // street lamps, windows and headlights are on

  Colour shade(Colour surface, Vec3 normal) const;
  Colour fade(Colour colour, double distance) const;
  bool night() const { return part == DayPart::Night; }
};

Lighting makeLighting(DayPart part, Weather weather, double sunSide);

}  // namespace roadtune::data::synth
