// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/image/image.h"
#include "core/data/synth/scene.h"
#include "core/data/synth/view.h"

#include <vector>

namespace roadtune::data::synth {

// What is visible of one actor: whole pixels [left, right) x [top, bottom), and how much of it others hide.
struct VisibleBox {
  const Actor* actor = nullptr;
  int left = 0, top = 0, right = 0, bottom = 0;
  double visibleShare = 1;  // of the pixels the actor covers inside the picture
  bool truncated = false;   // touches the picture's border

  int width() const { return right - left; }
  int height() const { return bottom - top; }
};

struct Picture {
  Image image;
  std::vector<VisibleBox> boxes;  // every actor with a visible pixel, in the order of their numbers
};

struct RenderOptions {
  double scale = 1;               // of the camera's full size
  const Actor* hidden = nullptr;  // left out of the picture
  bool shadows = true;
};

// Draws the scene as a camera sees it `time` seconds after its start. Equal bits for equal arguments, on every machine.
Picture renderScene(const Scene& scene, const CameraMount& mount, double time, const RenderOptions& options = {});

}  // namespace roadtune::data::synth
