// SPDX-License-Identifier: GPL-3.0-or-later
// From images one has found to a run that learns from them, without typing a path.
#include "app/studio/run_document.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/common/elided_label.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct TrainOnTest : StudioTest {
  void openData(const std::string& yaml = {}) {
    studio::Options options;
    options.data = index();
    if (!yaml.empty()) {
      home.write("run.yaml", yaml);
      options.config = QString::fromStdString((home / "run.yaml").string());
    }
    options.page = "data";
    open(options);
    ASSERT_TRUE(waitFor([&] { return data()->grid()->images()->size() == 120; }));
  }
  void find(const char* query, std::size_t count) {
    auto* edit = data()->queryLine()->edit();
    edit->setFocus();
    QTest::keyClicks(edit, query);
    QTest::keyClick(edit, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return data()->grid()->images()->size() == count; })) << data()->grid()->images()->size();
  }
  static QString index() { return QString::fromStdString(drawnIndex().string()); }
  widgets::DataPage* data() const { return window()->dataPage(); }
  QString setting(const char* name) const {
    const auto sources = studio->train()->document().config().sources("train_data");
    if (name == std::string("train_data")) return sources.empty() ? QString() : QString::fromStdString(sources[0].path);
    return QString::fromStdString(studio->train()->document().config().text(name));
  }
};

TEST_F(TrainOnTest, WhatTheQueryFindsIsAClickAwayFromARunThatLearnsFromIt) {
  openData("model_name_or_path: m\ntrain_data: /old\noutput_dir: " + (home / "one").string() + "\n");
  find("camera=front sort by n desc", 24);
  QTest::mouseClick(StudioTest::find<QToolButton>("dataTrain"), Qt::LeftButton);
  EXPECT_EQ(window()->page(), studio::Page::Train);
  EXPECT_EQ(setting("train_data"), index());
  EXPECT_EQ(setting("train_query"), "camera=front") << "a run has an order of its own";
  EXPECT_TRUE(StudioTest::find<QLineEdit>("edit_train_query")->isVisible());
  auto* told = StudioTest::find<widgets::ElidedLabel>("statusMessage");
  EXPECT_TRUE(told->text().startsWith("The run learns from ")) << told->text().toStdString();
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(told->text(), "") << "that is so no more";
  EXPECT_EQ(setting("train_data"), "/old") << "one step takes both back";
  EXPECT_EQ(setting("train_query"), "");
}

TEST_F(TrainOnTest, TheMenuOfAnImageLeadsThereTooAndKeepsOutWhatWasLeftOut) {
  openData("model_name_or_path: m\ntrain_data: /old\ntrain_query: not tag:excluded\noutput_dir: /r\n");
  find("camera=front", 24);
  QWidget* grid = data()->grid();
  grid->setFocus();
  chooseInMenu([&] { openMenuByKey(grid); }, "Train on all images found");
  ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Train; }));
  EXPECT_EQ(setting("train_query"), "camera=front and not tag:excluded");
  EXPECT_TRUE(StudioTest::find<QLineEdit>("edit_train_data")->isVisible()) << "the query stands in a field of its own";
}

TEST_F(TrainOnTest, ANewConfigurationLearnsFromTheDataThatIsOpen) {
  openData();
  ASSERT_TRUE(waitFor([&] { return setting("train_data") == index(); })) << setting("train_data").toStdString();
  EXPECT_FALSE(studio->train()->document().unsaved()) << "nobody edited anything";
}

TEST_F(TrainOnTest, AConfigurationOfTheUserKeepsItsDataAndOffersWhatIsOpen) {
  openData("model_name_or_path: m\ntrain_data: /old\noutput_dir: /r\n");
  EXPECT_EQ(setting("train_data"), "/old");
  emit data()->saveViewRequested("Front", "camera=front");
  ASSERT_TRUE(waitFor([&] { return window()->findChild<QAction*>("suggest_train_query") != nullptr; }))
      << "it is on disk";
  window()->setPage(studio::Page::Train);
  auto* line = StudioTest::find<QLineEdit>("edit_train_data");
  line->setFocus();
  chooseInMenu([&] { QTest::keyClick(line, Qt::Key_Down); }, "street-scenes");
  ASSERT_TRUE(waitFor([&] { return setting("train_data") == index(); })) << setting("train_data").toStdString();
  QTest::mouseClick(StudioTest::find<QToolButton>("allSettings"), Qt::LeftButton);
  auto* query = StudioTest::find<QLineEdit>("edit_train_query");
  ASSERT_TRUE(waitFor([&] { return query->isVisible(); }));
  query->setFocus();
  chooseInMenu([&] { QTest::keyClick(query, Qt::Key_Down); }, "Front");
  ASSERT_TRUE(waitFor([&] { return setting("train_query") == "camera=front"; }));
}

}  // namespace
}  // namespace roadtune::testing
