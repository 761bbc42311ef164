// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/numerics.h"

#include "core/base/text.h"

namespace roadtune::model {

const std::vector<std::string>& profileNames() {
  static const std::vector<std::string> names{"hf-5.23", "hf-5-sdpa", "hf-4.51-eager", "big-vision"};
  return names;
}

Result<Numerics> numericsOf(std::string_view profile) {
  Numerics numerics;
  if (profile.empty() || profile == "hf-5.23") return numerics;
  numerics.profile = std::string(profile);
  if (profile == "hf-5-sdpa") {
    numerics.attentionCap = false;
    numerics.finalCap = false;
  } else if (profile == "hf-4.51-eager") {
    numerics.window = Numerics::Window::Everywhere;
    numerics.foldImageScale = true;
  } else if (profile == "big-vision") {
    numerics.finalCap = false;
    numerics.window = Numerics::Window::Off;
    numerics.firstPosition = 0;
    numerics.perExampleLoss = true;
  } else {
    return badInput("unknown profile '" + std::string(profile) + "'", "profile",
                    "use one of " + join(profileNames(), ", "));
  }
  return numerics;
}

}  // namespace roadtune::model
