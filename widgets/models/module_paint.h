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
  std::optional<double> dropout = {};
  std::optional<double> rate = {};  // learning rate of what is trained there; none: its tower's, or the run's
  // auto | float32 | bfloat16: what it computes in, and nothing else is painted; none: types stay as they are
  std::optional<QString> type = {};
};

}  // namespace roadtune::widgets
