// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard's way through each page: everything is reached, has a name, and comes in the order in which one reads.
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/fleet/fleet_page.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/train/train_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <filesystem>

namespace roadtune::testing {
namespace {

QString text(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

struct TabOrder : StudioTest {
  std::filesystem::path index = drawnIndex();
  void openFull(const char* page) {
    drawRun({home / "runs/baseline", 60, 0, true, 0, 0.5});
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "runs/next").string() + "\n");
    studio::Options options;
    options.data = text(index);
    options.config = text(home / "run.yaml");
    options.runRoots = {text(home / "runs")};
    options.run = text(home / "runs/baseline");
    options.page = page;
    open(options);
    ASSERT_TRUE(waitFor([&] { return window()->dataPage()->grid()->images()->size() == 120; }));
    ASSERT_TRUE(waitFor([&] { return find<QTreeView>("moduleTree")->model()->rowCount() >= 3; }));
    ASSERT_TRUE(waitFor([&] { return !window()->runsPage()->plots()->plot("loss")->curves().empty(); }));
    QTest::qWait(300);  // what follows from that is on show
  }

  static QString nameOf(const QWidget* widget) {
    QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
    const QString spoken = seen ? seen->text(QAccessible::Name) : QString();
    return QStringLiteral("%1 %2 '%3'")
        .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(), spoken);
  }
  // What Tab must come to: the program's own, on show; a part of a control counts with the control.
  static bool wantsTab(const QWidget* widget, const QWidget* page) {
    if (!widget->isVisibleTo(page) || !widget->isEnabled() || !(widget->focusPolicy() & Qt::TabFocus)) return false;
    if (widget->objectName().startsWith(QLatin1String("qt_")) || widget->focusProxy()) return false;
    if (widget->visibleRegion().isEmpty() && !insideScroll(widget, page)) return false;
    return true;
  }
  static bool insideScroll(const QWidget* widget, const QWidget* page) {
    for (const QWidget* up = widget; up && up != page; up = up->parentWidget())
      if (qobject_cast<const QScrollArea*>(up)) return true;
    return false;
  }
  // Once around the window; of that what lies on the page, from where Tab comes into it.
  QList<QWidget*> walk(QWidget* page) const {
    QList<QWidget*> way;
    for (int i = 0; i < 600; ++i) {
      QWidget* before = QApplication::focusWidget() ? QApplication::focusWidget() : window();
      QTest::keyClick(before, Qt::Key_Tab);
      QWidget* now = QApplication::focusWidget();
      if (!now || now == before) {
        ADD_FAILURE() << "Tab stays at " << nameOf(before).toStdString();
        return way;
      }
      if (way.contains(now)) break;
      way << now;
    }
    const auto on = [page](const QWidget* widget) { return page->isAncestorOf(widget); };
    for (qsizetype i = 0; i < way.size() && (on(way.back()) || !on(way.front())); ++i) way.append(way.takeFirst());
    way.erase(std::remove_if(way.begin(), way.end(), [&](const QWidget* one) { return !on(one); }), way.end());
    return way;
  }
  // The smallest common home of two widgets, and the part of it that each lies in.
  static std::pair<const QWidget*, const QWidget*> partsOf(const QWidget* a, const QWidget* b) {
    for (const QWidget* home = a->parentWidget(); home; home = home->parentWidget()) {
      if (!home->isAncestorOf(b)) continue;
      const QWidget *left = a, *right = b;
      while (left->parentWidget() != home) left = left->parentWidget();
      while (right->parentWidget() != home) right = right->parentWidget();
      return {left, right};
    }
    return {a, b};
  }
  static QRect placeOf(const QWidget* widget, const QWidget* page) {
    return {widget->mapTo(page, QPoint()), widget->size()};
  }

  void expectOrder(const QList<QWidget*>& way, const QWidget* page) const {
    for (qsizetype i = 1; i < way.size(); ++i) {
      const auto [before, after] = partsOf(way[i - 1], way[i]);
      const QRect a = placeOf(before, page), b = placeOf(after, page);
      const bool up = b.bottom() <= a.top(),
                 back = b.right() <= a.left() && b.top() < a.bottom() && a.top() < b.bottom();
      // Columns beside each other are read one after the other: from the foot of one to the head of the next.
      EXPECT_FALSE((up && b.left() < a.right()) || back)
          << "after " << nameOf(way[i - 1]).toStdString() << " at " << a.left() << ',' << a.top() << " comes "
          << nameOf(way[i]).toStdString() << " at " << b.left() << ',' << b.top();
    }
  }
  void expectWholeWay(QWidget* page) const {
    const QList<QWidget*> way = walk(page);
    ASSERT_GT(way.size(), 3);
    for (QWidget* widget : page->findChildren<QWidget*>())
      if (wantsTab(widget, page))
        EXPECT_TRUE(way.contains(widget)) << "Tab never comes to " << nameOf(widget).toStdString();
    for (const QWidget* widget : way) {
      QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
      ASSERT_NE(seen, nullptr) << nameOf(widget).toStdString();
      EXPECT_FALSE(seen->text(QAccessible::Name).isEmpty())
          << nameOf(widget).toStdString() << " has no name in " << widget->parentWidget()->objectName().toStdString();
    }
    QStringList names;
    for (const QWidget* widget : way) names << nameOf(widget);
    SCOPED_TRACE(names.join(QStringLiteral("\n")).toStdString());
    expectOrder(way, page);
  }
};

TEST_F(TabOrder, Data) {
  openFull("data");
  expectWholeWay(window()->dataPage());
}

TEST_F(TabOrder, DataWithTags) {
  // A copy: what is written here must not show in other tests.
  std::filesystem::copy(index, home / "idx", std::filesystem::copy_options::recursive);
  index = home / "idx";
  openFull("data");
  auto* inspector = window()->dataPage()->findChild<QWidget*>("inspector");
  auto* edit = inspector->findChild<QLineEdit*>("tagEdit");
  for (const char* tag : {"rain", "hard"}) {
    window()->dataPage()->grid()->setFocus();
    QTest::keyClick(window()->dataPage()->grid(), Qt::Key_T);
    ASSERT_TRUE(edit->hasFocus());
    QTest::keyClicks(edit, tag);
    QTest::keyClick(edit, Qt::Key_Return);
    const auto chip = QStringLiteral("chip_") + QLatin1String(tag);
    ASSERT_TRUE(waitFor([&] { return inspector->findChild<QToolButton*>(chip) != nullptr; })) << tag;
  }
  expectWholeWay(window()->dataPage());
}

TEST_F(TabOrder, Train) {
  openFull("train");
  expectWholeWay(window()->trainPage());
}

TEST_F(TabOrder, Runs) {
  openFull("runs");
  expectWholeWay(window()->runsPage());
}

TEST_F(TabOrder, Fleet) {
  openFull("fleet");
  expectWholeWay(window()->fleetPage());
}

TEST_F(TabOrder, FleetOfMachinesThatCompute) {
  openFull("fleet");
  auto reading = std::make_shared<widgets::MachineReading>();
  reading->host = "gpu1";
  reading->processes.push_back({3127, "lin", "python3", {}, {0}, 4'100'000'000, 6'200'000'000});
  const auto machine = [&](const char* name) {
    return widgets::FleetMachine{name, {}, widgets::MachineState::Ready, {}, reading};
  };
  window()->fleetPage()->setMachines({machine("gpu1"), machine("gpu2")});
  QTest::qWait(100);
  EXPECT_EQ(window()->fleetPage()->findChildren<QTreeView*>("processTable").size(), 3);
  expectWholeWay(window()->fleetPage());
}

}  // namespace
}  // namespace roadtune::testing
