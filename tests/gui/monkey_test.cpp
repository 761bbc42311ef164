// SPDX-License-Identifier: GPL-3.0-or-later
// Somebody who presses everything. Nothing may crash, and Qt must have nothing to say about it.
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/common/ui_watchdog.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDialog>
#include <QMenu>
#include <QScopeGuard>
#include <QTimer>

#include <random>

namespace roadtune::testing {
namespace {

QStringList* warnings = nullptr;

void collect(QtMsgType type, const QMessageLogContext&, const QString& text) {
  const bool known = text.contains(QLatin1String("propagateSizeHints")) ||
                     text.contains(QLatin1String("This plugin does not support"));
  if (warnings && type != QtDebugMsg && type != QtInfoMsg && !known) warnings->append(text);
}

// What leads out of the window or starts work that outlives the test.
bool forbidden(const QWidget& widget) {
  static const QStringList kWords = {"emo",     "uit",     "openRunFolder", "startRun", "mport",    "OpenFolder",
                                     "machine", "Machine", "where",         "check",    "queueRun", "queueWork"};
  for (const QString& word : kWords) {
    if (widget.objectName().contains(word)) return true;
  }
  return false;
}

class Monkey {
 public:
  explicit Monkey(QWidget* window, unsigned seed) : m_window(window), m_random(seed) {}

  void act() {
    closeStrangers();
    switch (below(4)) {
      case 0: return key();
      case 1: return click(Qt::LeftButton);
      case 2: return button();
      default: return wheelOrMove();
    }
  }

 private:
  int below(int end) { return static_cast<int>(m_random() % static_cast<unsigned>(end)); }
  QPoint anywhere() { return {below(m_window->width()), below(m_window->height())}; }

  void closeStrangers() {
    for (QWidget* widget : QApplication::topLevelWidgets()) {
      if (widget != m_window && widget->isVisible() && (qobject_cast<QDialog*>(widget) || qobject_cast<QMenu*>(widget)))
        widget->close();
    }
  }
  void key() {
    static const Qt::Key kKeys[] = {
        Qt::Key_Left,  Qt::Key_Right,  Qt::Key_Up,  Qt::Key_Down,  Qt::Key_Home,        Qt::Key_End,
        Qt::Key_Space, Qt::Key_Escape, Qt::Key_Tab, Qt::Key_A,     Qt::Key_T,           Qt::Key_N,
        Qt::Key_H,     Qt::Key_L,      Qt::Key_P,   Qt::Key_Slash, Qt::Key_BracketLeft, Qt::Key_BracketRight,
        Qt::Key_Plus,  Qt::Key_Minus};
    QWidget* target = QApplication::focusWidget() ? QApplication::focusWidget() : m_window;
    if (!m_window->isAncestorOf(target) && target != m_window) target = m_window;
    if (below(6) == 0)
      return QTest::keyClick(m_window, static_cast<Qt::Key>(Qt::Key_1 + below(4)), Qt::ControlModifier);
    QTest::keyClick(target, kKeys[below(static_cast<int>(std::size(kKeys)))],
                    below(8) == 0 ? Qt::ShiftModifier : Qt::NoModifier);
  }
  void click(Qt::MouseButton which) {
    const QPoint at = anywhere();
    QWidget* target = m_window->childAt(at);
    if (!target) return;
    for (QWidget* up = target; up && up != m_window; up = up->parentWidget()) {
      if (forbidden(*up)) return;
    }
    const QPoint inside = target->mapFrom(m_window, at);
    below(5) == 0 ? QTest::mouseDClick(target, which, {}, inside) : QTest::mouseClick(target, which, {}, inside);
  }
  void button() {
    QList<QAbstractButton*> all;
    for (QAbstractButton* one : m_window->findChildren<QAbstractButton*>()) {
      if (one->isVisible() && one->isEnabled() && !forbidden(*one) &&
          !(qobject_cast<QWidget*>(one)->property("popup").toBool()))
        all << one;
    }
    if (all.isEmpty()) return;
    QAbstractButton* one = all[below(static_cast<int>(all.size()))];
    one->click();
  }
  void wheelOrMove() {
    const QPoint at = anywhere();
    if (QWidget* target = m_window->childAt(at)) QTest::mouseMove(target, target->mapFrom(m_window, at));
  }

  QWidget* m_window;
  std::mt19937 m_random;
};

TEST_F(StudioTest, SurvivesAMonkey) {
  LiveRun live({home / "runs/live", 400, 0, false, 2, 0.5});
  live.step(60);
  drawRun({home / "runs/done", 300, 0, true, 0, 0.5});
  studio::Options options;
  options.data = QString::fromStdString(drawnIndex().string());
  options.runRoots = {QString::fromStdString((home / "runs").string())};
  open(options);
  // Thousands of events at no person's pace, beside the other tests: what each may take is theirs to say.
  auto* app = dynamic_cast<widgets::WatchedApplication*>(QCoreApplication::instance());
  app->setLimit(2 * app->limit());
  const auto restored = qScopeGuard([app] { app->setLimit(app->limit() / 2); });
  QStringList seen;
  warnings = &seen;
  const auto before = qInstallMessageHandler(collect);
  Monkey monkey(window(), 20260131);
  // Menus wait for a choice in an event loop of their own; the monkey has none to make.
  QTimer impatience;
  QObject::connect(&impatience, &QTimer::timeout, [] {
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
  });
  impatience.start(5);
  for (int i = 0; i < 4'000; ++i) {
    monkey.act();
    if (i % 8 == 0) QApplication::processEvents();
    if (i % 1000 == 0) live.step(5);
  }
  QTest::qWait(200);
  qInstallMessageHandler(before);
  warnings = nullptr;
  EXPECT_TRUE(window()->isVisible());
  EXPECT_TRUE(seen.isEmpty()) << seen.join('\n').toStdString();
}

}  // namespace
}  // namespace roadtune::testing
