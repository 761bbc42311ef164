// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

namespace roadtune::text {

inline constexpr int kLocBins = 1024;
inline constexpr int kSegCodes = 128;

// How a bin becomes a coordinate again: b/1023 inverts the encoding, b/1024 is what common demo code does.
enum class LocDecoding { Over1023, Over1024 };

// Bin of a coordinate divided by the image's side: clip(round(1023 u), 0, 1023), halves to even.
int locBin(double unit);
double locUnit(int bin, LocDecoding decoding = LocDecoding::Over1023);

std::string locToken(int bin);   // "<loc0007>"
std::string segToken(int code);  // "<seg007>"

// Pixels, left-top to right-bottom, as boxes are stored.
struct LocBox {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

// "<locY1><locX1><locY2><locX2>" for a box in an image of that size, and back.
std::string encodeBox(const LocBox& box, double width, double height);

}  // namespace roadtune::text
