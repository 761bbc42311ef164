// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/stage.h"

namespace roadtune::data::synth {

// Draws rounded limbs of a figure that stands at `foot` and looks along `heading`. Places are given in its own frame:
// x forward, y to its left, z up, in metres.
class Limbs {
 public:
  Limbs(Stage& stage, Vec3 foot, double heading, double pixelsPerMetre)
      : m_stage(stage),
        m_foot(foot),
        m_turn(heading),
        m_pixels(pixelsPerMetre),
        m_away(stage.distance(foot)),
        m_boost(stage.headlights(foot)) {}

  void stick(Vec3 from, Vec3 to, double thickFrom, double thickTo, Colour colour);
  void ball(Vec3 at, double radius, Colour colour, double stretch = 1);
  void leg(Vec3 hip, Vec3 foot, double thick, Colour trousers, Colour shoe);

  Vec3 place(Vec3 own) const { return m_foot + m_turn(own); }
  Colour lit(Colour colour) const { return m_stage.seen(colour * m_boost, {0, 0, 0.55}, m_away); }
  double pixels() const { return m_pixels; }

  // +1 when the figure's left side is nearer to the camera, else -1.
  double nearSide() const { return m_turn.back(m_stage.view.eye() - m_foot).y > 0 ? 1 : -1; }

 private:
  Stage& m_stage;
  Vec3 m_foot;
  Turn m_turn;
  double m_pixels, m_away, m_boost;
};

}  // namespace roadtune::data::synth
