// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/main_window.h"

#include "app/studio/key_groups.h"
#include "app/studio/open_place.h"
#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/undo_keys.h"
#include "widgets/forms/schema_form.h"
#include "widgets/frame/command_palette.h"
#include "widgets/frame/guide_window.h"
#include "widgets/frame/key_sheet.h"
#include "widgets/frame/nav_rail.h"
#include "widgets/frame/overlay.h"
#include "widgets/frame/status_strip.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/fleet/fleet_page.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/module_panel.h"
#include "widgets/panels/train/train_page.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QScreen>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::studio {
namespace {
constexpr QLatin1String kPagePrefix("page_");
constexpr QSize kFrame(0, 40);  // what a desktop may draw around a window, above all its title
}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QWidget(parent),
      m_rail(new widgets::NavRail),
      m_pages(new QStackedWidget),
      m_status(new widgets::StatusStrip),
      m_data(new widgets::DataPage),
      m_train(new widgets::TrainPage),
      m_runs(new widgets::RunsPage),
      m_fleet(new widgets::FleetPage) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowTitle(QStringLiteral("Roadtune Studio"));
  setWindowIcon(QIcon(QStringLiteral(":/icons/roadtune-studio.svg")));
  resize(QSize(1440, 900).boundedTo(screen()->availableGeometry().size() - kFrame));
  setAcceptDrops(true);
  m_pages->setObjectName(QStringLiteral("pages"));
  for (QWidget* page : {static_cast<QWidget*>(m_data), static_cast<QWidget*>(m_train), static_cast<QWidget*>(m_runs),
                        static_cast<QWidget*>(m_fleet)}) {
    m_pages->addWidget(page);
  }
  auto* upper = widgets::row(nullptr, 0);
  upper->addWidget(m_rail);
  upper->addWidget(m_pages, 1);
  auto* layout = widgets::column(this, 0);
  layout->addLayout(upper, 1);
  layout->addWidget(m_status);
  makeRail(new QActionGroup(this));
  makeOverlays();
  qApp->installEventFilter(this);
  connect(m_status, &widgets::StatusStrip::liveRunsClicked, this, [this] { setPage(Page::Runs); });
}

MainWindow::~MainWindow() = default;

QAction* MainWindow::addCommand(const QString& objectName, const QString& text, const QKeySequence& keys,
                                const QString& iconName) {
  auto* action = new QAction(text, this);
  action->setObjectName(objectName);
  action->setShortcut(keys);
  if (!iconName.isEmpty()) action->setIcon(widgets::icon(iconName));
  addAction(action);
  if (m_palette) m_palette->setActions(actions());
  return action;
}

void MainWindow::makeRail(QActionGroup* group) {
  const std::array<std::pair<QString, QString>, 4> pages = {{{tr("Data"), QStringLiteral("data")},
                                                             {tr("Train"), QStringLiteral("train")},
                                                             {tr("Runs"), QStringLiteral("runs")},
                                                             {tr("Fleet"), QStringLiteral("fleet")}}};
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const QKeySequence keys(
        QKeyCombination(Qt::ControlModifier, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i))));
    QAction* action = addCommand(kPagePrefix + pages[i].second, pages[i].first, keys, pages[i].second);
    action->setData(tr("Go to %1").arg(pages[i].first));
    action->setCheckable(true);
    group->addAction(action);
    m_rail->addPage(action);
    m_pageActions[i] = action;
    connect(action, &QAction::triggered, this, [this, i] {
      if (page() != static_cast<Page>(i)) return setPage(static_cast<Page>(i));
      if (!widgets::isTypedInto(focusWidget())) focusPage();
    });
  }
  QAction* settings = addCommand(QStringLiteral("settings"), tr("Settings"), QKeySequence(Qt::CTRL | Qt::Key_Comma),
                                 QStringLiteral("settings"));
  settings->setProperty(widgets::CommandPalette::kOtherNames, tr("preferences options"));
  connect(settings, &QAction::triggered, this, &MainWindow::settingsRequested);
  m_rail->addBottom(settings);
  m_pageActions[0]->setChecked(true);
}

void MainWindow::makeOverlays() {
  m_palette = new widgets::CommandPalette(this);
  m_keys = new widgets::KeySheet(keyGroups(), this);
  QAction* open = addCommand(QStringLiteral("commandPalette_open"), tr("Find a command"),
                             QKeySequence(Qt::CTRL | Qt::Key_K), QStringLiteral("search"));
  open->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_K), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)});
  connect(open, &QAction::triggered, m_palette, &widgets::Overlay::open);
  QAction* keys = addCommand(QStringLiteral("keySheet_open"), tr("Show all keys"), QKeySequence(Qt::Key_F1),
                             QStringLiteral("keyboard"));
  keys->setProperty(widgets::CommandPalette::kOtherNames, tr("help shortcuts keyboard"));
  connect(keys, &QAction::triggered, m_keys, &widgets::Overlay::open);
  QAction* guide = addCommand(QStringLiteral("documentation"), tr("Documentation"),
                              QKeySequence(Qt::SHIFT | Qt::Key_F1), QStringLiteral("info"));
  guide->setProperty(widgets::CommandPalette::kOtherNames, tr("guide manual handbook reference"));
  connect(guide, &QAction::triggered, this, &MainWindow::openGuide);
  connect(m_keys, &widgets::KeySheet::documentationRequested, this, &MainWindow::openGuide);
  connect(addCommand(QStringLiteral("find"), tr("Find in this page"), QKeySequence(Qt::CTRL | Qt::Key_F),
                     QStringLiteral("search")),
          &QAction::triggered, this, &MainWindow::focusSearch);
  connect(addCommand(QStringLiteral("toggleLeft"), tr("Show or hide the left panel")), &QAction::triggered, this,
          [this] { togglePanel(true); });
  connect(addCommand(QStringLiteral("toggleRight"), tr("Show or hide the right or lower panel")), &QAction::triggered,
          this, [this] { togglePanel(false); });
  connect(addCommand(QStringLiteral("fullScreen"), tr("Full screen"), QKeySequence(Qt::Key_F11)), &QAction::triggered,
          this, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  m_palette->setActions(actions());
}

void MainWindow::openGuide() {
  if (!m_guide) {
    m_guide = std::make_unique<widgets::GuideWindow>();
    connect(m_guide.get(), &widgets::GuideWindow::linkRequested, this,
            [this](const QUrl& link) { openLink(link, m_guide->notice()); });
  }
  m_guide->open();
}

void MainWindow::setPage(Page page) {
  const int index = static_cast<int>(page);
  m_pageActions[static_cast<std::size_t>(index)]->setChecked(true);
  if (index == m_pages->currentIndex()) return;
  QWidget* before = m_pages->widget(index)->focusWidget();
  m_pages->setCurrentIndex(index);
  if (widgets::isTypedInto(before) && !isCovered())
    before->setFocus();
  else
    focusPage();
  emit pageChanged(index);
}

bool MainWindow::isCovered() const {
  const auto overlays = findChildren<widgets::Overlay*>(QString(), Qt::FindDirectChildrenOnly);
  return std::ranges::any_of(overlays, [](const widgets::Overlay* one) { return one->isVisible(); });
}

// Keys go to what the page is about.
void MainWindow::focusPage() {
  if (isCovered()) return;
  switch (page()) {
    case Page::Data: m_data->focusMain(); break;
    case Page::Train: m_train->focusMain(); break;
    case Page::Runs: m_runs->focusMain(); break;
    case Page::Fleet: m_fleet->focusMain(); break;
  }
}

Page MainWindow::page() const { return static_cast<Page>(m_pages->currentIndex()); }

void MainWindow::focusSearch() {
  switch (page()) {
    case Page::Data:
      m_data->closeSample();
      if (m_data->index()) m_data->queryLine()->focusEdit();
      break;
    case Page::Train: m_train->focusSearch(); break;
    case Page::Runs: m_runs->focusFilter(); break;
    case Page::Fleet: break;
  }
}

void MainWindow::togglePanel(bool left) {
  const auto at = static_cast<std::size_t>(page());
  showPanel(page(), left, !(left ? m_leftShown : m_rightShown)[at]);
}

void MainWindow::showPanel(Page page, bool left, bool shown) {
  (left ? m_leftShown : m_rightShown)[static_cast<std::size_t>(page)] = shown;
  switch (page) {
    case Page::Data: left ? m_data->setFacetsShown(shown) : m_data->setInspectorShown(shown); break;
    case Page::Train: left ? m_train->modules()->setVisible(shown) : m_train->cost()->setVisible(shown); break;
    case Page::Runs: left ? m_runs->setListShown(shown) : m_runs->setDetailShown(shown); break;
    case Page::Fleet: break;
  }
}

QStringList MainWindow::hiddenPanels() const {
  QStringList hidden;
  for (std::size_t i = 0; i < m_pageActions.size(); ++i) {
    const QString page = m_pageActions[i]->objectName().mid(kPagePrefix.size());
    if (!m_leftShown[i]) hidden << page + QStringLiteral(" left");
    if (!m_rightShown[i]) hidden << page + QStringLiteral(" right");
  }
  return hidden;
}

void MainWindow::setHiddenPanels(const QStringList& panels) {
  for (std::size_t i = 0; i < m_pageActions.size(); ++i) {
    const QString page = m_pageActions[i]->objectName().mid(kPagePrefix.size());
    for (const bool left : {true, false}) {
      const bool hidden = panels.contains(page + (left ? QStringLiteral(" left") : QStringLiteral(" right")));
      if (hidden) showPanel(static_cast<Page>(i), left, false);
    }
  }
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  // Plain characters reach the window only when no field wanted them.
  if (!takeCharacter(*event)) QWidget::keyPressEvent(event);
}

// Lists, trees and choices would take every character as the beginning of one of their entries; the fields of the Train
// page every undo, also when there is nothing typed to take back.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  const bool asks = event->type() == QEvent::ShortcutOverride;
  if (!asks && event->type() != QEvent::KeyPress) return false;
  auto* widget = qobject_cast<QWidget*>(watched);
  if (asks) return widget && m_train->isAncestorOf(widget) && widgets::leftWhenUntouched(widget, event);
  if (pressByEnter(widget, *static_cast<QKeyEvent*>(event))) return true;
  const auto* choice = qobject_cast<const QComboBox*>(widget);
  const bool searches = qobject_cast<const QAbstractItemView*>(widget) || (choice && !choice->isEditable());
  return searches && widget->window() == this && takeCharacter(*static_cast<QKeyEvent*>(event));
}

// Enter presses the button that has the focus, as Space does.
bool MainWindow::pressByEnter(QWidget* focused, const QKeyEvent& event) const {
  auto* button = qobject_cast<QAbstractButton*>(focused);
  const bool enter = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
  if (!enter || !button || qobject_cast<QCheckBox*>(button) || button->window() != this) return false;
  if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
  if (!event.isAutoRepeat()) button->click();
  return true;
}

bool MainWindow::takeCharacter(const QKeyEvent& event) {
  const QString text = event.text();
  if (text == QLatin1String("?"))
    m_keys->open();
  else if (text == QLatin1String("/"))
    focusSearch();
  else if (text == QLatin1String("["))
    togglePanel(true);
  else if (text == QLatin1String("]"))
    togglePanel(false);
  else
    return false;
  return true;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  emit dropped(paths);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (m_mayClose && !m_mayClose()) return event->ignore();
  emit closing();
  m_guide.reset();
  QWidget::closeEvent(event);
}

}  // namespace roadtune::studio
