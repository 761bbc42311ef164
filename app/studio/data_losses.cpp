// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/data_losses.h"

#include "core/protocol/run_layout.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/loss_menu.h"

namespace roadtune::studio {
namespace {

using widgets::LossChoice;
constexpr qsizetype kMostLossRuns = 20;

// The newest first, as the catalogue has them.
QList<LossChoice> lossChoicesOf(const std::vector<runs::RunEntry>& runs) {
  QList<LossChoice> choices;
  for (const runs::RunEntry& run : runs) {
    if (choices.size() == kMostLossRuns) break;
    if (!protocol::RunLayout(run.path).ranksWithLedgers().empty())
      choices.append({QString::fromStdString(run.name), widgets::pathText(run.path)});
  }
  return choices;
}

}  // namespace

DataLosses::DataLosses(widgets::DataPage* page, QObject* parent) : QObject(parent), m_page(page) {
  connect(page->lossMenu(), &widgets::LossMenu::choicesWanted, this, &DataLosses::list);
}

void DataLosses::setRuns(const RunEntries& runs) {
  const bool first = !m_runs;
  m_runs = runs;
  std::map<std::string, std::filesystem::path> byName;
  for (const runs::RunEntry& run : *runs) byName.emplace(run.name, run.path);  // of two, the newer one
  if (first) list();
  if (byName == m_named) return;
  m_named = byName;
  emit named(byName);
}

void DataLosses::list() {
  if (!m_runs) return;
  m_background.run(
      this, [runs = m_runs] { return lossChoicesOf(*runs); },
      [this](const QList<LossChoice>& choices) { m_page->lossMenu()->setChoices(choices); });
}

}  // namespace roadtune::studio
