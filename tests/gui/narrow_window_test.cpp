// SPDX-License-Identifier: GPL-3.0-or-later
// A window of 1024 by 640 is enough for every page, in every language, and nothing that is written is cut off.
#include "app/studio/language.h"
#include "app/studio/main_window.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/common/wrap_layout.h"
#include "widgets/models/module_tree_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/runs/live_edit_panel.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QAbstractButton>
#include <QLabel>
#include <QScreen>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

namespace roadtune::testing {
namespace {

constexpr QSize kSmall(1024, 640);

struct NarrowWindow : StudioTest {
  void openIn(const char* language, const char* page) {
    drawRun({home / "runs/a-run-with-a-name-that-takes-its-room", 60, 0, true, 0, 0.5});
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "runs/next").string() + "\n");
    studio::Options options;
    options.data = text(drawnIndex());
    options.config = text(home / "run.yaml");
    options.runRoots = {text(home / "runs")};
    options.run = text(home / "runs/a-run-with-a-name-that-takes-its-room");
    options.page = page;
    options.language = language;
    options.size = kSmall;
    open(options);
    ASSERT_TRUE(waitFor([&] { return window()->dataPage()->grid()->images()->size() == 120; }));
    ASSERT_TRUE(waitFor([&] { return !window()->runsPage()->plots()->plot("loss")->curves().empty(); }));
    QTest::qWait(300);  // what follows from that is on show
  }
  static QString text(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

  // Words that do not fit where they stand, and parts that reach beyond what holds them.
  void expectRoomOn(QWidget* page, const std::string& when) const {
    EXPECT_EQ(window()->size(), kSmall) << when << ": the window was pushed wider or taller";
    EXPECT_LE(window()->minimumSizeHint().width(), kSmall.width()) << when;
    EXPECT_LE(window()->minimumSizeHint().height(), kSmall.height()) << when;
    for (const QLabel* label : page->findChildren<QLabel*>()) {
      if (!label->isVisible() || label->text().isEmpty() || !label->pixmap(Qt::ReturnByValue).isNull()) continue;
      const int needed = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
      EXPECT_GE(label->height(), needed) << when << ": '" << label->text().toStdString() << "'";
      if (!label->wordWrap())
        EXPECT_GE(label->width(), label->sizeHint().width()) << when << ": '" << label->text().toStdString() << "'";
    }
    for (const auto* tabs : page->findChildren<QTabBar*>())
      if (tabs->isVisible() && tabs->count() > 0)
        EXPECT_LE(tabs->tabRect(tabs->count() - 1).right(), tabs->width())
            << when << ": '" << tabs->tabText(tabs->count() - 1).toStdString() << "'";
    for (const auto* button : page->findChildren<QAbstractButton*>()) {
      const auto* tool = qobject_cast<const QToolButton*>(button);
      const bool words = !tool || tool->toolButtonStyle() != Qt::ToolButtonIconOnly;
      if (!button->isVisible() || button->text().isEmpty() || !words) continue;
      EXPECT_GE(button->width(), button->fontMetrics().horizontalAdvance(QString(button->text()).remove('&')))
          << when << ": '" << button->text().toStdString() << "'";
      EXPECT_LE(button->mapTo(page, QPoint(button->width(), 0)).x(), page->width())
          << when << ": '" << button->text().toStdString() << "'";
    }
  }
};

TEST_F(NarrowWindow, EveryPageHasRoomInEveryLanguage) {
  for (const char* language : {"en", "de"}) {
    openIn(language, "data");
    const auto* pages = window()->findChild<QStackedWidget*>("pages");
    for (int i = 0; i < pages->count(); ++i) {
      window()->setPage(static_cast<studio::Page>(i));
      QTest::qWait(50);
      expectRoomOn(pages->widget(i), language + std::string(" ") + pages->widget(i)->objectName().toStdString());
    }
    studio.reset();
  }
}

TEST_F(NarrowWindow, WhatOpensInAPageFindsRoomToo) {
  for (const char* language : {"en", "de"}) {
    openIn(language, "data");
    QTest::mouseClick(find<QToolButton>("dataExport"), Qt::LeftButton);
    QTest::qWait(50);
    expectRoomOn(window()->dataPage(), language + std::string(" export"));
    window()->dataPage()->openSample();
    QTest::qWait(200);
    window()->dataPage()->closeSample();
    QTest::mouseClick(find<QToolButton>("dataQuality"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return window()->findChild<QWidget*>("qualitySize_vehicle_224") != nullptr; }, 60));
    QTest::qWait(200);
    EXPECT_LE(window()->minimumSizeHint().width(), 1000) << language;
    expectRoomOn(window()->dataPage(), language + std::string(" quality"));
    QTest::keyClick(window()->dataPage(), Qt::Key_Escape);
    window()->dataPage()->openSample();
    QTest::qWait(50);
    expectRoomOn(window()->dataPage(), language + std::string(" sample"));
    window()->setPage(studio::Page::Runs);
    window()->runsPage()->liveEdit()->open();
    QTest::qWait(50);
    expectRoomOn(window()->runsPage(), language + std::string(" change"));
    studio.reset();
  }
}

TEST_F(NarrowWindow, ManyPlotsScrollInsteadOfPushingTheWindow) {
  openIn("en", "runs");
  auto* plots = window()->runsPage()->plots();
  for (const QString& key : plots->keys()) plots->setShown(key, true);
  QTest::qWait(50);
  EXPECT_EQ(window()->size(), kSmall);
  EXPECT_GE(plots->plot("loss")->height(), 140);
}

TEST_F(NarrowWindow, TheLineAboveTheImagesGivesUpWordsBeforeItBreaks) {
  openIn("de", "data");
  const auto* boxes = find<QToolButton>("gridBoxes");
  const auto* train = find<QToolButton>("dataTrain");
  const auto inOneLine = [&] {
    return std::abs(boxes->mapTo(window(), boxes->rect().center()).y() -
                    train->mapTo(window(), train->rect().center()).y()) < boxes->height() / 2;
  };
  EXPECT_EQ(train->toolButtonStyle(), Qt::ToolButtonTextBesideIcon) << "it breaks anyway";
  for (const int width : {1600, 1280, 1600}) {
    window()->resize(width, 800);
    QTest::qWait(50);
    EXPECT_TRUE(inOneLine()) << width;
    EXPECT_EQ(train->toolButtonStyle() == Qt::ToolButtonTextBesideIcon, width == 1600) << width;
  }
}

TEST_F(NarrowWindow, NamesOfModulesCanBeReadInTheSmallestWindow) {
  openIn("de", "train");
  auto* tree = find<QTreeView>("moduleTree");
  ASSERT_TRUE(waitFor([&] { return tree->model()->rowCount() > 0; }));
  window()->resize(window()->minimumSizeHint());
  QTest::qWait(50);
  EXPECT_GE(tree->columnWidth(widgets::ModuleTreeModel::NameColumn), 90);
  EXPECT_LT(window()->width(), kSmall.width());
}

TEST(FirstWindow, IsNoLargerThanItsScreen) {
  const studio::MainWindow window;
  const QSize room = window.screen()->availableGeometry().size();
  EXPECT_EQ(window.size().boundedTo(room), window.size());
}

TEST(WrapLayout, FillsLinesAndSharesWhatIsLeft) {
  QWidget box;
  auto* layout = new widgets::WrapLayout(10, &box);
  std::vector<QWidget*> parts;
  for (int i = 0; i < 3; ++i) {
    parts.push_back(new QWidget);
    parts.back()->setFixedSize(100, 20);
    if (i == 2) layout->addStretch();
    layout->addWidget(parts.back());
  }
  box.resize(400, 20);
  layout->activate();
  EXPECT_EQ(parts[1]->x(), 110);
  EXPECT_EQ(parts[2]->x(), 300) << "behind the stretch";
  EXPECT_EQ(layout->heightForWidth(400), 20);
  EXPECT_EQ(layout->heightForWidth(250), 50);
  EXPECT_EQ(layout->minimumSize().width(), 100);
  parts[0]->hide();
  EXPECT_EQ(layout->heightForWidth(250), 20) << "what is hidden takes no room";
}

TEST_F(NarrowWindow, OnAVeryWideOneNothingIsStretchedBeyondWhatCanBeRead) {
  openIn("en", "train");
  window()->resize(3440, 1300);
  for (const char* name : {"edit_model_name_or_path", "edit_train_data", "edit_task"}) {
    const auto* field = find<QWidget>(name);
    ASSERT_TRUE(waitFor([&] { return field->width() > 400 && field->width() < 700; })) << name << field->width();
    EXPECT_LT(field->mapTo(window(), QPoint()).x(), 1000) << "at the left, beside its name";
  }
  window()->setPage(studio::Page::Fleet);
  const auto* tile = find<QWidget>("machineTile");
  EXPECT_TRUE(waitFor([&] { return tile->width() < 800; })) << tile->width();
}

}  // namespace
}  // namespace roadtune::testing
