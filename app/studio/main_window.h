// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include <array>
#include <functional>
#include <memory>
#include <utility>

class QAction;
class QActionGroup;
class QStackedWidget;

namespace roadtune::widgets {
class CommandPalette;
class DataPage;
class FleetPage;
class GuideWindow;
class KeySheet;
class NavRail;
class Overlay;
class RunsPage;
class StatusStrip;
class TrainPage;
}  // namespace roadtune::widgets

namespace roadtune::studio {

enum class Page { Data, Train, Runs, Fleet };

// Rail, pages, status strip, overlays and the actions that lead from one to the other. Knows no data.
class MainWindow : public QWidget {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  widgets::DataPage* dataPage() const { return m_data; }
  widgets::TrainPage* trainPage() const { return m_train; }
  widgets::RunsPage* runsPage() const { return m_runs; }
  widgets::FleetPage* fleetPage() const { return m_fleet; }
  widgets::StatusStrip* statusStrip() const { return m_status; }
  widgets::CommandPalette* palette() const { return m_palette; }

  // Panels that `[` and `]` have hidden, as "train left": kept from one start to the next.
  QStringList hiddenPanels() const;
  void setHiddenPanels(const QStringList& panels);

  void setPage(Page page);
  void focusPage();
  Page page() const;

  // An action of the whole program: in the palette, with its keys, and reachable from every page.
  QAction* addCommand(const QString& objectName, const QString& text, const QKeySequence& keys = {},
                      const QString& iconName = {});

  // Asked before the window closes, which false forbids.
  void setCloseGuard(std::function<bool()> mayClose) { m_mayClose = std::move(mayClose); }

 signals:
  void pageChanged(int page);
  void settingsRequested();
  void closing();
  void dropped(const QStringList& paths);  // files and folders, anywhere on the window

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeRail(QActionGroup* group);
  void makeOverlays();
  void openGuide();
  void focusSearch();
  bool isCovered() const;  // by an overlay
  bool takeCharacter(const QKeyEvent& event);
  bool pressByEnter(QWidget* focused, const QKeyEvent& event) const;
  void togglePanel(bool left);
  void showPanel(Page page, bool left, bool shown);
  std::function<bool()> m_mayClose;
  std::array<bool, 4> m_leftShown{true, true, true, true}, m_rightShown{true, true, true, true};
  widgets::NavRail* m_rail;
  QStackedWidget* m_pages;
  widgets::StatusStrip* m_status;
  widgets::DataPage* m_data;
  widgets::TrainPage* m_train;
  widgets::RunsPage* m_runs;
  widgets::FleetPage* m_fleet;
  widgets::CommandPalette* m_palette = nullptr;
  widgets::KeySheet* m_keys = nullptr;
  std::unique_ptr<widgets::GuideWindow> m_guide;  // made when somebody opens it
  std::array<QAction*, 4> m_pageActions{};
};

}  // namespace roadtune::studio
