// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/limbs.h"
#include "core/data/synth/noise.h"

#include <cmath>

namespace roadtune::data::synth {

namespace {

constexpr double kWheel = 0.345, kFrontAxle = 0.53, kRearAxle = -0.5;

void wheel(Stage& stage, const Limbs& bike, double x, double angle) {
  constexpr int kSteps = 20;
  const auto rim = [&](double a) {
    return stage.view.project(bike.place({x + kWheel * cosine(a), 0, kWheel + kWheel * sine(a)}));
  };
  const auto front = rim(0), back = rim(kPi);
  const bool fromTheSide = front && back && std::abs(front->x - back->x) > kWheel * bike.pixels();
  const double thin = 0.014 * bike.pixels();
  for (int spoke = 0; fromTheSide && bike.pixels() > 24 && spoke < 7; ++spoke) {
    const double a = angle + kPi * spoke / 7;
    const auto p = rim(a), q = rim(a + kPi);
    if (p && q) stage.canvas.stroke(*p, *q, thin, thin, bike.lit({150, 150, 152}), 0.7);
  }
  const double thick = 0.045 * bike.pixels();
  for (int i = 0; i < kSteps; ++i) {
    const auto p = rim(2 * kPi * i / kSteps), q = rim(2 * kPi * (i + 1) / kSteps);
    if (p && q) stage.canvas.stroke(*p, *q, thick, thick, bike.lit({34, 34, 36}));
  }
}

void frame(Limbs& bike, Colour paint) {
  const Vec3 crank{-0.06, 0, 0.29}, seat{-0.2, 0, 0.82}, head{0.36, 0, 0.86}, rear{kRearAxle, 0, kWheel},
      front{kFrontAxle, 0, kWheel};
  bike.stick(rear, crank, 0.03, 0.03, paint);
  bike.stick(rear, seat, 0.026, 0.026, paint);
  bike.stick(crank, seat, 0.036, 0.036, paint);
  bike.stick(crank, head, 0.042, 0.042, paint);
  bike.stick(seat + Vec3{0.02, 0, -0.06}, head + Vec3{0, 0, -0.04}, 0.036, 0.036, paint);
  bike.stick(head + Vec3{-0.02, 0, 0.12}, front, 0.036, 0.03, paint);
  bike.stick(seat + Vec3{-0.02, 0, 0.1}, seat, 0.03, 0.03, {60, 60, 62});
  bike.stick(seat + Vec3{-0.12, 0, 0.12}, seat + Vec3{0.1, 0, 0.12}, 0.07, 0.04, {30, 30, 32});
  bike.stick(head + Vec3{0.02, -0.27, 0.16}, head + Vec3{0.02, 0.27, 0.16}, 0.034, 0.034, {40, 40, 42});
}

void riderLeg(Limbs& rider, const Actor& actor, double which, double angle, bool near) {
  const Vec3 pedal{-0.06 + 0.165 * cosine(angle), which * 0.11, 0.29 - 0.165 * sine(angle)};
  const Vec3 hip{-0.2, which * 0.09, 0.98};
  Vec3 knee = (hip + pedal) * 0.5;
  knee.x += 0.2;
  knee.z += 0.05;
  const Colour trousers = actor.second * (near ? 1.0 : 0.75);
  rider.stick(hip, knee, 0.17, 0.13, trousers);
  rider.stick(knee, pedal + Vec3{0, 0, 0.06}, 0.125, 0.085, trousers);
  rider.stick(pedal + Vec3{-0.05, 0, 0.03}, pedal + Vec3{0.13, 0, 0.03}, 0.08, 0.07, {44, 42, 40});
}

void rideUpper(Limbs& rider, const Actor& actor) {
  const Vec3 hip{-0.19, 0, 0.98}, chest{0.08, 0, 1.36}, head{0.2, 0, 1.62};
  rider.stick(hip, chest, 0.26, 0.3, actor.paint);
  rider.stick(hip + Vec3{0, -0.07, 0}, chest + Vec3{0, -0.1, 0}, 0.2, 0.22, actor.paint);
  rider.stick(hip + Vec3{0, 0.07, 0}, chest + Vec3{0, 0.1, 0}, 0.2, 0.22, actor.paint * 0.95);
  rider.stick(chest, head, 0.1, 0.09, actor.third);
  rider.ball(head, 0.1, actor.third, 1.2);
  const Colour helmet = cellNoise(1, 9, actor.salt) < 0.5 ? Colour{232, 232, 230} : Colour{206, 60, 48};
  rider.ball(head + Vec3{-0.01, 0, 0.07}, 0.12, helmet, 0.72);
}

}  // namespace

void paintCyclist(Stage& stage, const Actor& actor) {
  const Vec3 foot = actor.at(stage.time);
  const double pixels = stage.view.sizeAt(foot);
  if (pixels <= 0 || !stage.view.sees(foot + Vec3{0, 0, 1}, 2)) return;
  Limbs rider(stage, foot, actor.heading, pixels);
  const double angle = 2 * kPi * (stage.time * actor.speed() / 5.2 + actor.stride);
  const Colour paint = cellNoise(4, 4, actor.salt) < 0.5 ? Colour{186, 44, 40} : Colour{52, 92, 132};
  const double near = rider.nearSide();
  riderLeg(rider, actor, -near, near > 0 ? angle + kPi : angle, false);
  const bool rearFirst = rider.place({1, 0, 0}).x > foot.x ? stage.view.eye().x > foot.x : stage.view.eye().x < foot.x;
  wheel(stage, rider, rearFirst ? kRearAxle : kFrontAxle, angle * 3);
  wheel(stage, rider, rearFirst ? kFrontAxle : kRearAxle, angle * 3);
  frame(rider, paint);
  const Vec3 shoulder{0.08, 0, 1.38}, grip{0.4, 0, 1.03};
  const auto arm = [&](double which, double shade) {
    const Vec3 s = shoulder + Vec3{0, which * 0.17, 0}, g = grip + Vec3{0, which * 0.24, 0};
    const Vec3 elbow = (s + g) * 0.5 + Vec3{0, which * 0.05, -0.06};
    rider.stick(s, elbow, 0.1, 0.08, actor.paint * shade);
    rider.stick(elbow, g, 0.078, 0.06, actor.third * shade);
  };
  arm(-near, 0.78);
  rideUpper(rider, actor);
  riderLeg(rider, actor, near, near > 0 ? angle : angle + kPi, true);
  arm(near, 1);
  if (stage.light().lamps) {
    const bool back = rearFirst ? false : true;
    if (const auto at = stage.view.project(rider.place(back ? Vec3{-0.45, 0, 0.75} : Vec3{0.5, 0, 0.9})))
      stage.canvas.glow(*at, 0.28 * pixels, back ? Colour{200, 30, 24} : Colour{210, 210, 190});
  }
}

}  // namespace roadtune::data::synth
