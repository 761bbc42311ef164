// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <optional>

namespace roadtune::widgets {

// What to do with a module and everything below it.
struct ModulePaint {
  QString method;                // frozen | full | lora | qlora; empty: as the settings say, without an exception
  std::optional<int> rank = {};  // of adapters; none: the run's
  std::optional<double> alpha = {};
};

}  // namespace roadtune::widgets
