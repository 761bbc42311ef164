// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/model/module_tree.h"
#include "tests/support/made_data.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/theme.h"
#include "widgets/models/age_text.h"
#include "widgets/models/module_tree_model.h"
#include "widgets/models/query_text.h"
#include "widgets/models/run_list_model.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/runs/run_row_delegate.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyleOptionViewItem>

#include <cstdlib>
#include <limits>
#include <utility>

namespace roadtune::widgets {
namespace {

using Tester = QAbstractItemModelTester;
constexpr auto kFatal = Tester::FailureReportingMode::Warning;  // warnings fail the test

runs::RunEntry entry(const std::string& name, runs::RunState state, double started) {
  runs::RunEntry run;
  run.path = "/runs/" + name;
  run.name = name;
  run.state = state;
  run.started = started;
  run.step = 1240;
  run.totalSteps = 1940;
  run.loss = 0.7134;
  return run;
}

TEST(RunListModel, PutsPinnedRunsFirstThenLiveOnesThenTheNewest) {
  RunListModel model;
  Tester tester(&model, kFatal);
  model.setRuns({entry("old", runs::RunState::Finished, 1), entry("new", runs::RunState::Finished, 3),
                 entry("live", runs::RunState::Running, 2)});
  EXPECT_EQ(model.index(0).data().toString(), "live");
  EXPECT_EQ(model.index(1).data().toString(), "new");
  model.togglePinned("/runs/old");
  EXPECT_EQ(model.index(0).data().toString(), "old");
  EXPECT_TRUE(model.index(0).data(RunListModel::PinnedRole).toBool());
  model.setRuns({entry("new", runs::RunState::Finished, 3)});
  EXPECT_EQ(model.rowCount(), 1);
}

TEST(RunListModel, TellsARunInOneLine) {
  RunListModel model;
  model.setRuns({entry("night-walkers", runs::RunState::Running, 1)});
  EXPECT_EQ(model.index(0).data(RunListModel::DetailRole).toString(),
            QString::fromUtf8("running · 1,240 / 1,940 · loss 0.7134"));
}

TEST(RunListModel, ASmallLossIsNotNothing) {
  RunListModel model;
  auto small = entry("small", runs::RunState::Finished, 1);
  small.loss = 0.000461;
  auto none = entry("none", runs::RunState::Finished, 2);
  none.loss = 0;
  model.setRuns({small, none});
  EXPECT_TRUE(model.index(1).data(RunListModel::DetailRole).toString().contains("loss 0.000461"));
  EXPECT_TRUE(model.index(0).data(RunListModel::DetailRole).toString().endsWith("loss 0.000"));
}

TEST(RunListModel, ALossThatRoseIsToldAndMarked) {
  RunListModel model;
  auto run = entry("boom", runs::RunState::Finished, 1);
  model.setRuns({run});
  EXPECT_FALSE(model.index(0).data(RunListModel::WarnRole).toBool());
  RunRowDelegate delegate;
  const auto painted = [&] {
    QImage picture(280, 44, QImage::Format_RGB32);
    picture.fill(Qt::white);
    QPainter painter(&picture);
    QStyleOptionViewItem option;
    option.rect = picture.rect();
    delegate.paint(&painter, option, model.index(0));
    painter.end();
    const auto isNear = [](const QColor& a, const QColor& b) {  // edges are smooth
      return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 60;
    };
    int warn = 0, good = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        warn += isNear(picture.pixelColor(x, y), lightTokens().warn);
        good += isNear(picture.pixelColor(x, y), lightTokens().good);
      }
    return std::pair(warn > 20, good > 0);
  };
  Theme::instance().apply(ThemeChoice::Light);
  EXPECT_EQ(painted(), std::pair(false, true));
  run.lossRisen = true;
  model.setRuns({run});
  EXPECT_EQ(painted(), std::pair(true, false)) << "nothing about it looks well";
  EXPECT_TRUE(model.index(0).data(Qt::ToolTipRole).toString().contains("Its loss is higher than it began"));
  EXPECT_TRUE(model.index(0).data(Qt::AccessibleTextRole).toString().contains("higher than it began"));
}

TEST(RunListModel, ANameIsOneLine) {
  RunListModel model;
  model.setRuns({entry("two\nlines\tand more", runs::RunState::Finished, 1)});
  EXPECT_EQ(model.index(0).data().toString(), "two lines and more");
  EXPECT_EQ(model.index(0).data(RunListModel::PathRole).toString(), "/runs/two\nlines\tand more");
}

TEST(RunListModel, SaysLossesWithFourDigitsAndHowOldARunIs) {
  RunListModel model;
  auto run = entry("round", runs::RunState::Finished, wallSeconds() - 2 * 3600 - 5);
  run.loss = 0.7;
  run.step = run.totalSteps;
  auto older = entry("older", runs::RunState::Finished, 1'762'178'580);
  model.setRuns({run, older});
  EXPECT_EQ(model.index(0).data(RunListModel::DetailRole).toString(),
            QString::fromUtf8("finished · loss 0.7000 · 1,940 steps"));
  EXPECT_EQ(model.index(0).data(RunListModel::AgeRole).toString(), "2 h ago");
  EXPECT_TRUE(model.index(0).data(Qt::AccessibleTextRole).toString().contains("2 h ago"));
  EXPECT_TRUE(model.index(1).data(Qt::ToolTipRole).toString().contains("Started 3 Nov 2025, "));
  EXPECT_TRUE(model.index(1).data(Qt::ToolTipRole).toString().startsWith("older\n"));
}

TEST(AgeText, IsShortAndADateFromTheSecondDayOn) {
  const double now = 1'762'178'580;  // 3 November 2025
  EXPECT_EQ(ageText(now - 20, now), "just now");
  EXPECT_EQ(ageText(now + 20, now), "just now") << "the clock of another machine";
  EXPECT_EQ(ageText(now - 61, now), "1 min ago");
  EXPECT_EQ(ageText(now - 23 * 3600, now), "23 h ago");
  EXPECT_EQ(ageText(now, now + 3 * 86400), "3 Nov");
  EXPECT_EQ(ageText(now, now + 90 * 86400), "Nov 2025");
}

TEST(RunListModel, IsOrderedAsWishedWithPinnedRunsFirst) {
  RunListModel model;
  Tester tester(&model, kFatal);
  auto nine = entry("run-9", runs::RunState::Finished, 1), ten = entry("run-10", runs::RunState::Running, 2),
       lost = entry("Alpha", runs::RunState::Failed, 3);
  nine.loss = 0.2;
  ten.loss = 0.9;
  lost.loss = std::numeric_limits<double>::quiet_NaN();
  model.setRuns({nine, ten, lost});
  const auto names = [&] {
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row) all << model.index(row).data().toString();
    return all.join(' ').toStdString();
  };
  EXPECT_EQ(names(), "run-10 Alpha run-9");
  model.setOrder(RunOrder::Name);
  EXPECT_EQ(names(), "Alpha run-9 run-10");
  model.setOrder(RunOrder::Loss);
  EXPECT_EQ(names(), "run-9 run-10 Alpha");
  ten.evalLoss = 0.5;
  lost.evalLoss = 0.4;
  model.setRuns({nine, ten, lost});
  model.setOrder(RunOrder::EvalLoss);
  EXPECT_EQ(names(), "Alpha run-10 run-9");
  model.setOrder(RunOrder::State);
  EXPECT_EQ(names(), "run-10 Alpha run-9");
  model.togglePinned("/runs/run-9");
  EXPECT_EQ(names(), "run-9 run-10 Alpha");
}

TEST(RunListModel, KeepsRowsWhenOnlyNumbersChange) {
  RunListModel model;
  Tester tester(&model, kFatal);
  model.setRuns({entry("a", runs::RunState::Running, 1)});
  const QPersistentModelIndex kept(model.index(0));
  auto next = entry("a", runs::RunState::Running, 1);
  next.step = 1300;
  model.setRuns({next});
  ASSERT_TRUE(kept.isValid());
  EXPECT_TRUE(kept.data(RunListModel::DetailRole).toString().contains("1,300"));
}

TEST(RunListModel, IsFilteredByStateAndFolder) {
  RunListModel model;
  QSortFilterProxyModel proxy;
  Tester tester(&proxy, kFatal);
  proxy.setSourceModel(&model);
  proxy.setFilterRole(RunListModel::SearchRole);
  model.setRuns({entry("a", runs::RunState::Failed, 1), entry("b", runs::RunState::Finished, 2)});
  proxy.setFilterFixedString("failed");
  ASSERT_EQ(proxy.rowCount(), 1);
  EXPECT_EQ(proxy.index(0, 0).data().toString(), "a");
}

TEST(TableModel, GrowsAndShrinksAtTheEnd) {
  TableModel model({"A", "B"}, 0);
  Tester tester(&model, kFatal);
  model.setRows({{{"1", "2"}}, {{"3", "4"}}});
  const QPersistentModelIndex kept(model.index(0, 1));
  model.setRows({{{"1", "9"}}, {{"3", "4"}}, {{"5", "6"}}});
  EXPECT_EQ(kept.data().toString(), "9");
  EXPECT_EQ(model.rowCount(), 3);
  model.setRows({});
  EXPECT_EQ(model.rowCount(), 0);
}

std::shared_ptr<const model::ModuleTree> treeWith(model::Method method) {
  const auto config = model::PaliGemmaConfig::fromFolder(testing::tinyModel());
  EXPECT_TRUE(config.ok());
  return std::make_shared<const model::ModuleTree>(model::buildModuleTree(config.value(), method).value());
}

TEST(ModuleTreeModel, SumsToTheCountsOfTheTree) {
  model::Method method;
  method.type = model::FinetuningType::Full;
  method.freezeVisionTower = true;
  const auto tree = treeWith(method);
  ModuleTreeModel model;
  Tester tester(&model, kFatal);
  model.setTree(tree);
  std::int64_t all = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    all += model.index(row, ModuleTreeModel::AllColumn).data().toString().remove(',').toLongLong();
  }
  EXPECT_EQ(all, tree->allParameters());
  const QModelIndex vision = model.find("model.vision_tower");
  ASSERT_TRUE(vision.isValid());
  EXPECT_EQ(vision.siblingAtColumn(ModuleTreeModel::StateColumn).data().toString(), "frozen");
  EXPECT_EQ(vision.siblingAtColumn(ModuleTreeModel::TrainableColumn).data().toString(), "");
}

TEST(ModuleTreeModel, KeepsItsRowsWhenOnlyTheMethodChanges) {
  model::Method method;
  method.type = model::FinetuningType::Full;
  ModuleTreeModel model;
  Tester tester(&model, kFatal);
  model.setTree(treeWith(method));
  const QPersistentModelIndex vision(model.find("model.vision_tower"));
  ASSERT_TRUE(vision.isValid());
  method.freezeVisionTower = true;
  model.setTree(treeWith(method));
  ASSERT_TRUE(vision.isValid());
  EXPECT_EQ(static_cast<TrainMode>(vision.data(ModuleTreeModel::ModeRole).toInt()), TrainMode::Frozen);
}

TEST(QueryText, AddsAndRemovesFacetValuesAsOneWouldTypeThem) {
  QString query = toggleFacetValue({}, "split", "training");
  EXPECT_EQ(query, "split=training");
  query = toggleFacetValue(query, "split", "validation");
  EXPECT_EQ(query, "split in (training, validation)");
  query = toggleFacetValue(query, "time", "Dawn/Dusk");
  EXPECT_EQ(query, "split in (training, validation) and time=\"Dawn/Dusk\"");
  query = toggleFacetValue(query, "split", "training");
  EXPECT_EQ(query, "split=validation and time=\"Dawn/Dusk\"");
  query = toggleFacetValue(query, "time", "Dawn/Dusk");
  query = toggleFacetValue(query, "split", "validation");
  EXPECT_EQ(query, "");
}

TEST(QueryText, LeavesWhatWasTypedAndTheTailAlone) {
  const QString typed = "count(pedestrian)>=3 and any(cyclist, h<40) sort by min(h) limit 5";
  const QString query = toggleFacetValue(typed, "camera", "front");
  EXPECT_EQ(query, "count(pedestrian)>=3 and any(cyclist, h<40) and camera=front sort by min(h) limit 5");
  EXPECT_EQ(toggleFacetValue(query, "camera", "front"), typed);
  EXPECT_EQ(toggleFacetValue("sort by min(h)", "split", "training"), "split=training sort by min(h)");
}

TEST(QueryText, ClassesAndTagsAreTermsOfTheirOwn) {
  const QString query = toggleFacetValue("any(vehicle)", "class", "cyclist");
  EXPECT_EQ(query, "any(vehicle) and any(cyclist)");
  EXPECT_TRUE(hasFacetValue(query, "class", "vehicle"));
  EXPECT_EQ(toggleFacetValue(query, "class", "vehicle"), "any(cyclist)");
  EXPECT_EQ(toggleFacetValue({}, "tag", "reviewed"), "tag:reviewed");
}

TEST(ShownText, NamesAreShownAsTheyAre) {
  EXPECT_EQ(tipText("h<40 and n>2"), "h<40 and n>2");
  EXPECT_EQ(tipText("<b>x</b>\n& y"), "<p>&lt;b&gt;x&lt;/b&gt;<br>&amp; y</p>");
  EXPECT_EQ(buttonText("night & day"), "night && day");
  const QString name = "roadtune_synth_13592992832856903821_7821_000.240.pack";
  QString folded = foldedText("In " + name);
  EXPECT_GE(folded.count(QChar(0x200b)), 2);
  EXPECT_EQ(folded.remove(QChar(0x200b)), "In " + name) << "nothing but places to break is added";
  EXPECT_EQ(foldedText("short words stay"), "short words stay");
}

}  // namespace
}  // namespace roadtune::widgets
