// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace roadtune::widgets {

class LinePrompt;
class MachineTile;
class NoticeBar;
class PreflightHistoryPanel;
class PreflightModel;
class PreflightPanel;
struct LineQuestion;

// The machines runs can go to, live, and what stands in the way of a run on them. Shows what it is told, asks through
// signals.
class FleetPage : public QWidget {
  Q_OBJECT
 public:
  explicit FleetPage(QWidget* parent = nullptr);
  void setReading(const MachineReadingPtr& reading);  // this machine
  void setMachines(const std::vector<FleetMachine>& machines);
  void setMachine(const FleetMachine& machine);  // one of them
  void setRunning(int runs);
  void setMatrix(const PreflightMatrixPtr& matrix);
  void setChecking(bool checking);
  PreflightModel* checks() const;
  PreflightModel* checksBetween() const;  // as one column
  PreflightHistoryPanel* history() const { return m_history; }
  NoticeBar* notice() const { return m_notice; }
  MachineTile* tile(const QString& name) const;
  void focusMain();
  LinePrompt* ask(const QString& name, LineQuestion question);  // at that machine's tile, which must be there

 signals:
  void checkRequested();
  void addRequested();
  void connectRequested(const QString& name);
  void groupRequested(const QString& name);
  void removeRequested(const QString& name);
  void shownChanged(bool shown);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void arrange();
  MachineTile* addTile();
  std::vector<MachineTile*> allTiles() const;  // as they are shown
  void moveFrom(const MachineTile* tile, int key);
  MachineTile* m_here;
  std::vector<MachineTile*> m_tiles;
  QGridLayout* m_grid;
  QScrollArea* m_scroll = nullptr;
  int m_across = 1;
  QPushButton* m_add = nullptr;
  QLabel* m_hint;
  NoticeBar* m_notice;
  PreflightPanel* m_preflight;
  PreflightHistoryPanel* m_history;
};

}  // namespace roadtune::widgets
