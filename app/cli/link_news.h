// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/run_screen.h"
#include "remote/launch/run_mirrors.h"

#include <map>
#include <string>

namespace roadtune::cli {

// Tells whoever follows a run of machines that cannot be reached, and when they are back. Meanwhile the screen shows
// what was known before. A link that comes back within a few seconds is no news.
class LinkNews {
 public:
  explicit LinkNews(RunScreen& screen) : m_screen(screen) {}

  void look(const remote::RunMirrors& mirrors);
  std::string trouble() const;  // "host1 cannot be reached"; empty when all is well

 private:
  struct Machine {
    double noticed = 0;  // monotonic
    bool told = false;
    std::string words = {};
  };
  RunScreen& m_screen;
  std::map<std::string, Machine> m_machines;  // those that have trouble
};

}  // namespace roadtune::cli
