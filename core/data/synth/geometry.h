// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cmath>

namespace roadtune::data::synth {

struct Vec2 {
  double x = 0, y = 0;
};

// The world of a scene: x along the road, y to the left of it, z up, in metres.
struct Vec3 {
  double x = 0, y = 0, z = 0;
};

inline Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
inline Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
inline Vec2 operator*(Vec2 a, double s) { return {a.x * s, a.y * s}; }
inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator*(Vec3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec3 a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(Vec3 a) {
  const double size = length(a);
  return size > 0 ? a * (1 / size) : a;
}
inline Vec3 mix(Vec3 a, Vec3 b, double t) { return a + (b - a) * t; }
inline double mix(double a, double b, double t) { return a + (b - a) * t; }
inline double clamp01(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }
inline double smoothStep(double low, double high, double value) {
  const double t = clamp01((value - low) / (high - low));
  return t * t * (3 - 2 * t);
}

// std::floor is a call into the C library where the processor's own instruction may not be used.
inline double floorOf(double value) {
  const auto whole = static_cast<double>(static_cast<long long>(value));
  return whole > value ? whole - 1 : whole;
}

inline constexpr double kPi = 3.14159265358979323846;

// Made of additions and products only, so that every machine and C library draws the same scene.
double sine(double angle);
inline double cosine(double angle) { return sine(angle + kPi / 2); }

// A wheel of `heading` about z.
struct Turn {
  double c = 1, s = 0;
  explicit Turn(double heading) : c(cosine(heading)), s(sine(heading)) {}
  Vec3 operator()(Vec3 p) const { return {c * p.x - s * p.y, s * p.x + c * p.y, p.z}; }
  Vec3 back(Vec3 p) const { return {c * p.x + s * p.y, c * p.y - s * p.x, p.z}; }
};

}  // namespace roadtune::data::synth
