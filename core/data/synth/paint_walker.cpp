// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/limbs.h"
#include "core/data/synth/noise.h"

#include <algorithm>

namespace roadtune::data::synth {

void Limbs::stick(Vec3 from, Vec3 to, double thickFrom, double thickTo, Colour colour) {
  const auto a = m_stage.view.project(place(from)), b = m_stage.view.project(place(to));
  if (!a || !b) return;
  m_stage.canvas.stroke(*a, *b, thickFrom * m_pixels, thickTo * m_pixels, lit(colour));
}

void Limbs::ball(Vec3 at, double radius, Colour colour, double stretch) {
  if (const auto p = m_stage.view.project(place(at)))
    m_stage.canvas.disc(*p, radius * m_pixels, radius * stretch * m_pixels, lit(colour));
}

void Limbs::leg(Vec3 hip, Vec3 foot, double thick, Colour trousers, Colour shoe) {
  Vec3 knee = (hip + foot) * 0.5;
  knee.x += 0.09 + 0.1 * std::max(0.0, foot.z * 6);
  stick(hip, knee, thick, 0.8 * thick, trousers);
  stick(knee, foot + Vec3{0, 0, 0.06}, 0.8 * thick, 0.6 * thick, trousers);
  stick(foot + Vec3{-0.04, 0, 0.04}, foot + Vec3{0.13, 0, 0.035}, 0.09, 0.08, shoe);
}

namespace {

// Torso, neck and head of somebody upright; sizes in parts of the height.
void upperBody(Limbs& body, const Actor& actor, double h, double bob) {
  const Colour top = actor.paint;
  const Vec3 hip{0, 0, 0.5 * h + bob}, chest{0.02, 0, 0.72 * h + bob}, neck{0.02, 0, 0.84 * h + bob};
  const double w = 0.105 * h;
  body.stick(hip + Vec3{0, -w * 0.35, 0}, chest + Vec3{0, -w * 0.55, 0}, 0.13 * h, 0.12 * h, top * 0.92);
  body.stick(hip + Vec3{0, w * 0.35, 0}, chest + Vec3{0, w * 0.55, 0}, 0.13 * h, 0.12 * h, top);
  body.stick(hip, chest + Vec3{0, 0, 0.03}, 0.15 * h, 0.16 * h, top);
  body.stick(chest + Vec3{0, 0, 0.05}, neck, 0.07 * h, 0.055 * h, actor.third);
  body.ball({0.035, 0, 0.915 * h + bob}, 0.058 * h, actor.third, 1.22);
  const Colour hair = cellNoise(1, 2, actor.salt) < 0.7 ? Colour{46, 38, 32} : Colour{132, 104, 70};
  body.ball({0.0, 0, 0.945 * h + bob}, 0.058 * h, hair, 0.85);
  if (cellNoise(3, 2, actor.salt) > 0.72)  // a rucksack
    body.stick({-0.15, 0, 0.58 * h + bob}, {-0.14, 0, 0.75 * h + bob}, 0.2, 0.17, actor.second * 0.8);
}

}  // namespace

void paintWalker(Stage& stage, const Actor& actor) {
  const Vec3 foot = actor.at(stage.time);
  const double pixels = stage.view.sizeAt(foot);
  if (pixels <= 0 || !stage.view.sees(foot + Vec3{0, 0, 1}, 1.6)) return;
  Limbs body(stage, foot, actor.heading, pixels);
  const double h = actor.height, walks = actor.speed() > 0.1 ? 1 : 0.1;
  const double phase = 2 * kPi * (stage.time * actor.speed() / 1.45 + actor.stride);
  const double swing = 0.24 * h * walks, wave = sine(phase), bob = 0.012 * h * walks * cosine(2 * phase);
  const double side = 0.055 * h;
  const Colour shoe = cellNoise(5, 5, actor.salt) < 0.5 ? Colour{40, 38, 36} : Colour{206, 204, 200};
  // The limbs of the far side come first.
  const double near = body.nearSide();
  for (const double which : {-near, near}) {
    const double way = which * wave;
    const double lift = 0.05 * h * walks * std::max(0.0, which * cosine(phase));
    const Colour trousers = actor.second * (which == near ? 1.0 : 0.78);
    const Colour sleeve = actor.paint * (which == near ? 1.04 : 0.74);
    const Vec3 shoulder{0.01, which * 0.115 * h, 0.79 * h + bob},
        hand{-way * swing * 0.8 + 0.06, which * 0.14 * h, 0.46 * h + bob};
    const Vec3 elbow = (shoulder + hand) * 0.5 + Vec3{-0.05, 0, 0};
    const auto arm = [&] {
      body.stick(shoulder, elbow, 0.062 * h, 0.052 * h, sleeve);
      body.stick(elbow, hand, 0.05 * h, 0.036 * h, sleeve);
      body.ball(hand, 0.024 * h, actor.third);
    };
    if (which != near) arm();
    body.leg({0, which * side, 0.5 * h + bob}, {way * swing, which * side * 0.9, lift}, 0.095 * h, trousers, shoe);
    if (which == near) {
      upperBody(body, actor, h, bob);
      arm();
    }
  }
}

}  // namespace roadtune::data::synth
