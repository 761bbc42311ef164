// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/preflight_history.h"

#include "core/base/clock.h"
#include "widgets/panels/fleet/preflight_history_panel.h"

namespace roadtune::studio {

using widgets::PreflightHistoryPanel;
using widgets::PreflightRecords;

PreflightHistory::PreflightHistory(PreflightHistoryPanel* panel, QObject* parent) : QObject(parent), m_panel(panel) {
  connect(panel, &PreflightHistoryPanel::removeRequested, this,
          [this](double when) { change([when](const PreflightStore& store) { return store.remove(when); }); });
  connect(panel, &PreflightHistoryPanel::removeAllRequested, this,
          [this] { change([](const PreflightStore& store) { return store.removeAll(); }); });
  change([](const PreflightStore&) { return Status(); });
}

void PreflightHistory::keep(const widgets::PreflightMatrix& matrix) {
  change([record = widgets::PreflightRecord{wallSeconds(), matrix}](const PreflightStore& store) {
    return store.add(record);
  });
}

void PreflightHistory::change(std::function<Status(const PreflightStore&)> change) {
  m_background.run(
      this,
      [store = m_store, change = std::move(change)]() -> Result<PreflightRecords> {
        ROADTUNE_CHECK(change(store));
        return store.load();
      },
      [this](const Result<PreflightRecords>& records) {
        if (records.ok())
          m_panel->setRecords(records.value());
        else
          emit failed(records.error());
      });
}

}  // namespace roadtune::studio
