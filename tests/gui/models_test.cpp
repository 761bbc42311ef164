// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/module_tree.h"
#include "tests/gui/made_data.h"
#include "widgets/models/module_tree_model.h"
#include "widgets/models/query_text.h"
#include "widgets/models/run_list_model.h"
#include "widgets/models/table_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>

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
            QString::fromUtf8("running · 1,240 / 1,940 · loss 0.713"));
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

}  // namespace
}  // namespace roadtune::widgets
