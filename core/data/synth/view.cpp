// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/view.h"

#include <algorithm>
#include <array>

namespace roadtune::data::synth {

const CameraMount& cameraMount(Camera camera) {
  static const std::array<CameraMount, 5> mounts = {{
      {Camera::Front, 1920, 1280, 2055, 960, 640, {1.54, -0.02, 2.12}, 0, 0.052},
      {Camera::FrontLeft, 1920, 1280, 2055, 958, 638, {1.49, 0.12, 2.12}, kPi / 4, 0.042},
      {Camera::FrontRight, 1920, 1280, 2055, 962, 641, {1.49, -0.12, 2.12}, -kPi / 4, 0.062},
      {Camera::SideLeft, 1920, 886, 2055, 964, 244, {1.43, 0.15, 2.12}, kPi / 2, 0.022},
      {Camera::SideRight, 1920, 886, 2055, 966, 243, {1.43, -0.15, 2.12}, -kPi / 2, 0.072},
  }};
  return mounts[static_cast<std::size_t>(std::clamp(static_cast<int>(camera), 1, 5) - 1)];
}

View::View(const CameraMount& mount, double scale, Vec3 vehicle)
    : m_width(std::max(16, static_cast<int>(mount.width * scale + 0.5))),
      m_height(std::max(16, static_cast<int>(mount.height * scale + 0.5))),
      m_focalU(mount.focal * m_width / mount.width),
      m_focalV(mount.focal * m_height / mount.height),
      m_centreU(mount.centreU * m_width / mount.width),
      m_centreV(mount.centreV * m_height / mount.height),
      m_eye(vehicle + mount.position),
      m_turn(mount.yaw) {}

std::optional<Vec2> View::project(Vec3 world) const {
  const Vec3 p = toCamera(world);
  if (p.x < kNearPlane) return std::nullopt;
  return toPixel(p);
}

std::span<const Vec2> View::project(std::span<const Vec3> polygon) {
  m_points.clear();
  if (polygon.empty()) return {};
  Vec3 previous = toCamera(polygon.back());
  for (const Vec3& world : polygon) {
    const Vec3 p = toCamera(world);
    if ((p.x < kNearPlane) != (previous.x < kNearPlane))
      m_points.push_back(toPixel(mix(previous, p, (kNearPlane - previous.x) / (p.x - previous.x))));
    if (p.x >= kNearPlane) m_points.push_back(toPixel(p));
    previous = p;
  }
  return m_points;
}

double View::sizeAt(Vec3 world) const {
  const double depth = toCamera(world).x;
  return depth < kNearPlane ? 0 : m_focalU / depth;
}

bool View::sees(Vec3 world, double radius) const {
  const Vec3 p = toCamera(world);
  if (p.x + radius < kNearPlane) return false;
  const double depth = std::max(p.x + radius, kNearPlane);
  const double left = m_centreU / m_focalU, right = (m_width - m_centreU) / m_focalU;
  const double reach = radius * 1.5;
  return p.y - reach < left * depth && -p.y - reach < right * depth;
}

}  // namespace roadtune::data::synth
