// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runs_open.h"

#include "core/runs/run_catalogue.h"

namespace roadtune::cli {

Result<runs::RunStore> openRun(const std::string& folder) {
  ROADTUNE_TRY(runs::RunStore store, runs::RunStore::open(folder));
  ROADTUNE_TRY([[maybe_unused]] const runs::RunEntry entry, runs::describeRun(folder));  // refuses what is no run
  ROADTUNE_TRY([[maybe_unused]] const bool news, store.refresh());
  while (!store.caughtUp()) {
    ROADTUNE_TRY([[maybe_unused]] const bool more, store.refresh());
  }
  return store;
}

}  // namespace roadtune::cli
