// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/lighting.h"

#include <algorithm>

namespace roadtune::data::synth {

std::string dayPartName(DayPart part) {
  switch (part) {
    case DayPart::Day: return "Day";
    case DayPart::Dusk: return "Dawn/Dusk";
    case DayPart::Night: return "Night";
  }
  return "Day";
}

std::string weatherName(Weather weather) { return weather == Weather::Rain ? "rain" : "sunny"; }

Colour Lighting::shade(Colour surface, Vec3 normal) const {
  const double open = 0.72 + 0.28 * normal.z;  // how much sky a surface sees
  const double facing = std::max(0.0, dot(normal, sun));
  return surface * (ambient * open + direct * facing);
}

Colour Lighting::fade(Colour colour, double distance) const {
  const double rest = hazeRange / (hazeRange + distance);
  return mix(haze, colour, rest);
}

namespace {

Lighting dayLight() {
  Lighting light;
  light.skyTop = {74, 128, 196};
  light.skyMiddle = {132, 178, 222};
  light.skyLow = {212, 226, 236};
  light.sunGlow = {255, 250, 230};
  light.cloudLight = {252, 252, 252};
  light.cloudDark = {196, 204, 216};
  light.direct = {0.62F, 0.60F, 0.54F};
  light.ambient = {0.58F, 0.61F, 0.66F};
  light.haze = {198, 212, 226};
  light.hazeRange = 520;
  light.shadow = 0.42;
  return light;
}

Lighting duskLight() {
  Lighting light;
  light.part = DayPart::Dusk;
  light.skyTop = {52, 66, 118};
  light.skyMiddle = {168, 118, 136};
  light.skyLow = {250, 182, 118};
  light.sunGlow = {255, 214, 150};
  light.cloudLight = {244, 160, 130};
  light.cloudDark = {96, 84, 120};
  light.direct = {0.62F, 0.40F, 0.24F};
  light.ambient = {0.44F, 0.40F, 0.46F};
  light.haze = {206, 158, 134};
  light.hazeRange = 420;
  light.shadow = 0.30;
  light.lamps = true;
  return light;
}

Lighting nightLight() {
  Lighting light;
  light.part = DayPart::Night;
  light.skyTop = {8, 11, 24};
  light.skyMiddle = {16, 20, 38};
  light.skyLow = {44, 42, 54};
  light.sunGlow = {70, 76, 96};
  light.cloudLight = {34, 36, 50};
  light.cloudDark = {14, 16, 28};
  light.direct = {0.05F, 0.06F, 0.08F};
  light.ambient = {0.22F, 0.22F, 0.27F};
  light.haze = {28, 28, 38};
  light.hazeRange = 260;
  light.shadow = 0.10;
  light.lamps = true;
  return light;
}

void makeWet(Lighting& light) {
  const Colour cloud = light.night()                 ? Colour{22, 23, 30}
                       : light.part == DayPart::Dusk ? Colour{112, 98, 104}
                                                     : Colour{158, 166, 174};
  light.skyTop = mix(light.skyTop, cloud, 0.85);
  light.skyMiddle = mix(light.skyMiddle, cloud, 0.85);
  light.skyLow = mix(light.skyLow, cloud * 1.12, 0.8);
  light.cloudLight = cloud * 1.15;
  light.cloudDark = cloud * 0.78;
  light.sunGlow = cloud;
  light.ambient = light.ambient + light.direct * 0.35;
  light.direct = light.direct * 0.15;
  light.haze = mix(light.haze, cloud, 0.8);
  light.hazeRange *= 0.45;
  light.cloudCover = 0.95;
  light.shadow *= 0.35;
  light.lamps = true;
}

}  // namespace

Lighting makeLighting(DayPart part, Weather weather, double sunSide) {
  Lighting light = part == DayPart::Day ? dayLight() : part == DayPart::Dusk ? duskLight() : nightLight();
  light.weather = weather;
  const double height = part == DayPart::Day ? 0.85 : 0.22;
  light.sun = normalized({0.55 * cosine(sunSide), 0.8 * sine(sunSide), height});
  if (weather == Weather::Rain) makeWet(light);
  return light;
}

}  // namespace roadtune::data::synth
