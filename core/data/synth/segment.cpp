// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/segment.h"

#include "core/base/hash.h"
#include "core/data/image/encode.h"
#include "core/data/synth/identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roadtune::data::synth {

namespace {

constexpr double kFrameTime = 0.1, kLaserRange = 75;
constexpr int kFirstSign = 40000;  // numbers of signs lie above those of the actors

// The order of Frame.images in the dataset.
constexpr std::array kStoredOrder = {Camera::Front, Camera::FrontLeft, Camera::SideLeft, Camera::FrontRight,
                                     Camera::SideRight};

std::uint64_t segmentSeed(const SynthOptions& options, int segment) {
  return mix64(options.seed * 1000003 + static_cast<std::uint64_t>(segment));
}

// The wanted words over what chance gave.
Scene makeSegmentScene(const SynthOptions& options, int segment) {
  SceneOptions wanted{segmentSeed(options, segment), options.frames * kFrameTime};
  wanted.timeOfDay = options.timeOfDay;
  wanted.weather = options.weather;
  return makeScene(wanted);
}

double wrapped(double angle) { return angle - 2 * kPi * std::floor((angle + kPi) / (2 * kPi)); }

// What people label: big enough to be told apart, and not hidden but for a scrap.
bool isLabelled(const VisibleBox& box, double scale) {
  const double least = std::max(4.0, 9 * scale);
  return box.visibleShare >= 0.12 && box.height() >= least && box.width() >= std::max(3.0, 4 * scale);
}

int levelOf(const VisibleBox& box, double scale) {
  return box.visibleShare < 0.45 || box.height() < std::max(7.0, 26 * scale) ? 2 : 1;
}

}  // namespace

Segment::Segment(const SynthOptions& options, int index)
    : m_options(options), m_context(synthContextName(options, index)), m_scene(makeSegmentScene(options, index)) {
  for (const Camera camera : kStoredOrder)
    if (std::find(options.cameras.begin(), options.cameras.end(), camera) != options.cameras.end())
      m_cameras.push_back(camera);
  const std::uint64_t bits = mix64(m_scene.seed + 99);
  m_startMicros = 1'540'000'000'000'000 + static_cast<std::int64_t>(bits % 50'000'000'000'000ULL);
  m_heading = 2 * kPi * static_cast<double>(bits >> 40) / 16777216.0 - kPi;
  m_offset = {static_cast<double>(bits % 20000) - 10000, static_cast<double>(bits / 20000 % 20000) - 10000, 12};
  m_counts = countObjects(options.frames);
}

Transform Segment::poseAt(double time) const {
  const Vec3 place = Turn(m_heading)(m_scene.egoAt(time)) + m_offset;
  const double c = cosine(m_heading), s = sine(m_heading);
  return {c, -s, 0, place.x, s, c, 0, place.y, 0, 0, 1, place.z, 0, 0, 0, 1};
}

WaymoCalibration Segment::calibrationOf(const CameraMount& mount) const {
  const View view(mount, m_options.scale, {});
  WaymoCalibration out;
  out.camera = static_cast<int>(mount.camera);
  out.intrinsic = {view.focalU(), view.focalV(), view.centreU(), view.centreV(), 0, 0, 0, 0, 0};
  const double c = cosine(mount.yaw), s = sine(mount.yaw);
  out.extrinsic =
      Transform{c, -s, 0, mount.position.x, s, c, 0, mount.position.y, 0, 0, 1, mount.position.z, 0, 0, 0, 1};
  out.width = view.width();
  out.height = view.height();
  out.rollingShutter = 2;
  return out;
}

WaymoLabel Segment::laserLabel(const Actor& actor, double time) const {
  const Vec3 place = actor.at(time) - m_scene.egoAt(time);
  WaymoLabel out;
  out.id = laserLabelId(m_scene.seed, actor.number);
  out.type = static_cast<int>(actor.type);
  out.centerX = place.x;
  out.centerY = place.y;
  out.centerZ = actor.height / 2;
  out.length = actor.length;
  out.width = actor.width;
  out.height = actor.height;
  out.heading = wrapped(actor.heading);
  const double away = std::max(3.0, length(place));
  out.lidarPoints =
      static_cast<int>(26000 * actor.height * std::max(actor.length, actor.width) / (away * away * away) + 1);
  out.detectionDifficulty = out.trackingDifficulty = out.lidarPoints <= 5 ? 2 : 1;
  const Vec3 speed = Turn(m_heading)(actor.velocity);
  out.speedX = speed.x;
  out.speedY = speed.y;
  return out;
}

WaymoLabel Segment::laserLabel(const SignPost& sign, double time) const {
  const Vec3 place = sign.foot - m_scene.egoAt(time);
  WaymoLabel out;
  out.id = laserLabelId(m_scene.seed, kFirstSign + static_cast<int>(&sign - m_scene.signs.data()));
  out.type = static_cast<int>(LabelType::Sign);
  out.centerX = place.x;
  out.centerY = place.y;
  out.centerZ = 2.35;
  out.length = 0.1;
  out.width = 0.7;
  out.height = 0.8;
  out.heading = sign.facing > 0 ? 0 : -kPi;
  out.lidarPoints = 12;
  out.detectionDifficulty = out.trackingDifficulty = 1;
  return out;
}

std::vector<WaymoLabel> Segment::laserLabels(double time) const {
  const Vec3 ego = m_scene.egoAt(time);
  std::vector<WaymoLabel> out;
  for (const Actor& actor : m_scene.actors)
    if (length(actor.at(time) - ego) < kLaserRange) out.push_back(laserLabel(actor, time));
  for (const SignPost& sign : m_scene.signs)
    if (length(sign.foot - ego) < kLaserRange) out.push_back(laserLabel(sign, time));
  return out;
}

// How many different objects of each type come near during the segment.
std::vector<WaymoObjectCount> Segment::countObjects(int frames) const {
  std::array<int, kLabelTypes> counts{};
  const auto near = [&](Vec3 place, double time) { return length(place - m_scene.egoAt(time)) < kLaserRange; };
  for (const Actor& actor : m_scene.actors)
    for (int frame = 0; frame < frames; ++frame)
      if (near(actor.at(frame * kFrameTime), frame * kFrameTime)) {
        ++counts[static_cast<std::size_t>(actor.type)];
        break;
      }
  for (const SignPost& sign : m_scene.signs)
    for (int frame = 0; frame < frames; ++frame)
      if (near(sign.foot, frame * kFrameTime)) {
        ++counts[static_cast<std::size_t>(LabelType::Sign)];
        break;
      }
  std::vector<WaymoObjectCount> out;
  for (std::size_t type = 1; type < counts.size(); ++type)
    if (counts[type] > 0) out.push_back({static_cast<int>(type), counts[type]});
  return out;
}

// The rectangle around the eight corners of a solid box, cut at the picture's border.
void Segment::addProjected(const View& view, const WaymoLabel& label, double time, WaymoCameraLabels& out) const {
  const Vec3 ego = m_scene.egoAt(time);
  const Turn turn(label.heading);
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 half{(corner & 1 ? 0.5 : -0.5) * label.length, (corner & 2 ? 0.5 : -0.5) * label.width,
                    (corner & 4 ? 0.5 : -0.5) * label.height};
    const auto at = view.project(ego + Vec3{label.centerX, label.centerY, label.centerZ} + turn(half));
    if (!at) return;
    left = std::min(left, at->x);
    right = std::max(right, at->x);
    top = std::min(top, at->y);
    bottom = std::max(bottom, at->y);
  }
  left = std::max(left, 0.0);
  top = std::max(top, 0.0);
  right = std::min<double>(right, view.width());
  bottom = std::min<double>(bottom, view.height());
  if (right - left < 1 || bottom - top < 1) return;
  WaymoLabel box;
  box.id = fmt::format("{}_{}", label.id, cameraName(static_cast<Camera>(out.camera)));
  box.type = label.type;
  box.centerX = (left + right) / 2;
  box.centerY = (top + bottom) / 2;
  box.length = right - left;
  box.width = bottom - top;
  out.labels.push_back(std::move(box));
}

Result<Segment::Shot> Segment::shoot(int frame, std::size_t image) const {
  const CameraMount& mount = cameraMount(m_cameras[image]);
  const double time = frame * kFrameTime + mount.delay;
  Picture picture = renderScene(m_scene, mount, time, {m_options.scale});
  Shot shot;
  ROADTUNE_TRY(shot.jpeg, encodeJpeg(picture.image, m_options.quality));
  const int camera = static_cast<int>(mount.camera);
  shot.image.camera = camera;
  shot.image.pose = poseAt(time);
  const Vec3 speed = Turn(m_heading)({m_scene.egoSpeed, 0, 0});
  shot.image.velocity = {speed.x, speed.y, 0, 0, 0, 0};
  const double seconds = static_cast<double>(m_startMicros) / 1e6 + time;
  shot.image.poseTimestamp = seconds;
  shot.image.shutter = m_scene.light.night() ? 0.0118 : 0.0031;
  shot.image.triggerTime = seconds - 0.02;
  shot.image.readoutDoneTime = seconds + 0.025;
  shot.labels.camera = shot.projected.camera = camera;
  for (const VisibleBox& box : picture.boxes) {
    if (!isLabelled(box, m_options.scale)) continue;
    WaymoLabel label;
    label.id = cameraLabelId(m_scene.seed, box.actor->number, camera);
    label.type = static_cast<int>(box.actor->type);
    label.centerX = (box.left + box.right) / 2.0;
    label.centerY = (box.top + box.bottom) / 2.0;
    label.length = box.width();
    label.width = box.height();
    if (levelOf(box, m_options.scale) == 2) label.detectionDifficulty = label.trackingDifficulty = 2;
    if (box.actor->type == LabelType::Pedestrian) label.laserObjectId = laserLabelId(m_scene.seed, box.actor->number);
    shot.labels.labels.push_back(std::move(label));
  }
  const View view(mount, m_options.scale, m_scene.egoAt(time));
  for (const WaymoLabel& label : laserLabels(time)) addProjected(view, label, time, shot.projected);
  return shot;
}

WaymoFrame Segment::describe(int frame) const {
  const double time = frame * kFrameTime;
  WaymoFrame out;
  out.context = m_context;
  out.timestampMicros = m_startMicros + static_cast<std::int64_t>(frame) * 100'000 +
                        static_cast<std::int64_t>(mix64(m_scene.seed + static_cast<std::uint64_t>(frame)) % 40);
  out.pose = poseAt(time);
  out.stats = {dayPartName(m_scene.light.part), m_scene.location, weatherName(m_scene.light.weather), m_counts, {}};
  for (const Camera camera : m_cameras) out.calibrations.push_back(calibrationOf(cameraMount(camera)));
  out.laserLabels = laserLabels(time);
  return out;
}

}  // namespace roadtune::data::synth
