// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/fleet_page.h"

#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/line_prompt.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/theme.h"
#include "widgets/panels/fleet/machine_tile.h"
#include "widgets/panels/fleet/preflight_history_panel.h"
#include "widgets/panels/fleet/preflight_model.h"
#include "widgets/panels/fleet/preflight_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace roadtune::widgets {
namespace {
constexpr int kTileWidth = 420, kWidestTile = 760, kTileGap = 12, kMostAcross = 6, kTileHead = 36;
}

FleetPage::FleetPage(QWidget* parent)
    : QWidget(parent),
      m_here(addTile()),
      m_grid(new QGridLayout),
      m_hint(secondaryLabel(tr("Add machines that you reach with ssh, and runs can train on several at once.\n"
                               "Nothing is installed there: the studio brings what it needs."))),
      m_notice(new NoticeBar),
      m_preflight(new PreflightPanel),
      m_history(new PreflightHistoryPanel) {
  setObjectName(QStringLiteral("fleetPage"));
  m_hint->setWordWrap(true);
  auto* inside = new QWidget;
  auto* content = column(inside, 12);
  content->setContentsMargins(metrics::kPadding, 8, metrics::kPadding, 16);
  m_add = plainButton(tr("Add machine"), QStringLiteral("addMachine"));
  m_add->setIcon(icon(QStringLiteral("plus")));
  auto* head = row(nullptr, 8);
  head->addWidget(titleLabel(tr("Fleet")), 1);
  head->addWidget(m_add);
  content->addLayout(head);
  m_grid->setSpacing(kTileGap);
  content->addLayout(m_grid);
  content->addSpacing(8);
  content->addWidget(m_preflight);
  content->addSpacing(8);
  content->addWidget(m_history);
  content->addStretch(1);
  m_scroll = new QScrollArea;
  m_scroll->setAccessibleName(tr("Machines and checks"));
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setWidgetResizable(true);
  m_scroll->setWidget(inside);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->viewport()->setAutoFillBackground(false);
  inside->setAutoFillBackground(false);
  auto* layout = column(this, 0);
  layout->addWidget(m_notice);
  layout->addWidget(m_scroll, 1);
  connect(m_add, &QPushButton::clicked, this, &FleetPage::addRequested);
  connect(m_preflight, &PreflightPanel::checkRequested, this, &FleetPage::checkRequested);
  arrange();
}

void FleetPage::arrange() {
  while (m_grid->count() > 0) delete m_grid->takeAt(0);
  const auto tiles = allTiles();
  std::vector<QWidget*> cells(tiles.begin(), tiles.end());
  m_hint->setVisible(m_tiles.empty());
  if (m_tiles.empty()) cells.push_back(m_hint);
  const int room = std::clamp((width() - 2 * metrics::kPadding + kTileGap) / (kTileWidth + kTileGap), 1, kMostAcross);
  const int narrowEnough = 1 + (width() - 2 * metrics::kPadding) / (kWidestTile + kTileGap);
  const int across = m_across = std::min(room, std::max({2, static_cast<int>(cells.size()), narrowEnough}));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool hint = cells[i] == m_hint;
    m_grid->addWidget(cells[i], static_cast<int>(i) / across, static_cast<int>(i) % across,
                      hint ? Qt::AlignVCenter : Qt::Alignment());
  }
  for (int i = 0; i < kMostAcross; ++i) m_grid->setColumnStretch(i, i < across ? 1 : 0);
  // Tiles come when machines do; Tab goes through them before it goes on to the checks below.
  QWidget* before = m_add;
  for (QWidget* cell : cells)
    for (QWidget* part : QWidgetList{cell} + cell->findChildren<QWidget*>())
      if (part->focusPolicy() & Qt::TabFocus) {
        setTabOrder(before, part);
        before = part;
      }
}

MachineTile* FleetPage::addTile() {
  auto* tile = new MachineTile;
  connect(tile, &MachineTile::moveRequested, this, [this, tile](int key) { moveFrom(tile, key); });
  return tile;
}

std::vector<MachineTile*> FleetPage::allTiles() const {
  std::vector<MachineTile*> all{m_here};
  all.insert(all.end(), m_tiles.begin(), m_tiles.end());
  return all;
}

void FleetPage::focusMain() {
  for (const MachineTile* tile : allTiles())
    if (tile->isAncestorOf(window()->focusWidget()) || tile->hasFocus()) return;
  m_here->setFocus();
}

void FleetPage::moveFrom(const MachineTile* tile, int key) {
  const auto tiles = allTiles();
  const int last = static_cast<int>(tiles.size()) - 1;
  const int at = static_cast<int>(std::find(tiles.begin(), tiles.end(), tile) - tiles.begin());
  const int to = key == Qt::Key_Left    ? at - 1
                 : key == Qt::Key_Right ? at + 1
                 : key == Qt::Key_Up    ? at - m_across
                 : key == Qt::Key_Down  ? at + m_across
                 : key == Qt::Key_Home  ? 0
                                        : last;
  if (to < 0 || to > last) return;
  tiles[static_cast<std::size_t>(to)]->setFocus();
  m_scroll->ensureWidgetVisible(tiles[static_cast<std::size_t>(to)]);
}

MachineTile* FleetPage::tile(const QString& name) const {
  for (MachineTile* one : m_tiles) {
    if (one->name() == name) return one;
  }
  return nullptr;
}

LinePrompt* FleetPage::ask(const QString& name, LineQuestion question) {
  MachineTile* one = tile(name);
  return new LinePrompt(one, QRect(0, 0, one->width(), kTileHead), std::move(question));
}

void FleetPage::setMachines(const std::vector<FleetMachine>& machines) {
  std::vector<MachineTile*> next;
  for (const FleetMachine& machine : machines) {
    MachineTile* one = tile(machine.name);
    if (!one) {
      one = addTile();
      const QString name = machine.name;
      connect(one, &MachineTile::connectRequested, this, [this, name] { emit connectRequested(name); });
      connect(one, &MachineTile::groupRequested, this, [this, name] { emit groupRequested(name); });
      connect(one, &MachineTile::removeRequested, this, [this, name] { emit removeRequested(name); });
    }
    one->setMachine(machine);
    next.push_back(one);
  }
  for (MachineTile* one : m_tiles) {
    if (std::find(next.begin(), next.end(), one) == next.end()) one->deleteLater();
  }
  m_tiles = std::move(next);
  arrange();
}

void FleetPage::setMachine(const FleetMachine& machine) {
  if (MachineTile* one = tile(machine.name)) one->setMachine(machine);
}

void FleetPage::setReading(const MachineReadingPtr& reading) {
  if (reading) m_here->setReading(*reading);
}

void FleetPage::setRunning(int runs) { m_here->setRuns(runs); }
void FleetPage::setMatrix(const PreflightMatrixPtr& matrix) { m_preflight->setMatrix(matrix); }
void FleetPage::setChecking(bool checking) { m_preflight->setChecking(checking); }
PreflightModel* FleetPage::checks() const { return m_preflight->model(); }
PreflightModel* FleetPage::checksBetween() const { return m_preflight->between(); }

void FleetPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void FleetPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  emit shownChanged(true);
}

void FleetPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  emit shownChanged(false);
}

}  // namespace roadtune::widgets
