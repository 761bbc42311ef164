// SPDX-License-Identifier: GPL-3.0-or-later
// What a file may say but the trainer does not do together. Told with all other problems, before anything starts; the
// trainer refuses the same on its own.
#include "core/config/rules.h"

namespace roadtune::config {

void refuseUnoffered(Draft& draft) {
  const RunConfig& run = draft.view();
  if (run.text("cache_vision_features") != "off" && run.text("sharding") != "ddp")
    draft.report("cache_vision_features", "features need the whole vision tower on every rank",
                 "sharding: ddp, or cache_vision_features: off");
  if (run.text("cache_vision_features") != "off" && run.flag("augment"))
    draft.report("cache_vision_features", "augmented pictures are new every time", "augment: false");
  if (run.has("ema_decay") && run.text("sharding") != "ddp")
    draft.report("ema_decay", "averages need every weight on every rank", "sharding: ddp, or no ema_decay");
}

}  // namespace roadtune::config
