// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/frame_builder.h"

#include "core/protocol/manifest.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/runs/fake_run.h"
#include "widgets/panels/runs/run_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace roadtune::studio {
namespace {

constexpr int kSteps = 2000;

struct DecimatedCurves : ::testing::Test {
  void write(const std::function<double(int)>& loss) {
    runs::FakeRun run(home / "run");
    run.hello();
    for (int step = 1; step <= kSteps; ++step)
      run.rank(0, "step", step, {{"loss", loss(step)}, {"lr", 1e-5}, {"step_s", 1.0}, {"total_steps", kSteps}});
    run.close();
    store.emplace(runs::RunStore::open(home / "run").value());
    ASSERT_TRUE(store->refresh().ok());
  }
  widgets::CurveData drawn(int columns, widgets::XAxis axis) {
    widgets::PlotRequest request;
    request.columns = columns;
    request.smoothing = 0;
    request.axis = axis;
    return FrameBuilder().build(*store, request)->plots.at(QStringLiteral("loss")).curves.at(0);
  }
  testing::TempFolder home;
  std::optional<runs::RunStore> store;
};

TEST_F(DecimatedCurves, AFallingLossFallsAtAnyWidth) {
  write([](int step) { return 5.0 - 0.002 * step; });
  for (const widgets::XAxis axis : {widgets::XAxis::Step, widgets::XAxis::Time})
    for (const int columns : {1, 3, 16, 64, 97, 400, 1500, 4000}) {
      const widgets::CurveData curve = drawn(columns, axis);
      ASSERT_GE(curve.x.size(), 2u);
      EXPECT_TRUE(std::ranges::is_sorted(curve.y, std::greater<>())) << columns << " columns";
      EXPECT_TRUE(std::ranges::is_sorted(curve.x, std::less<>())) << columns << " columns";
    }
}

TEST_F(DecimatedCurves, ASpikeIsDrawnWhereItWas) {
  write([](int step) { return step == 812 ? 50.0 : step == 1300 ? 0.0 : 5.0 - 0.002 * step; });
  for (const int columns : {1, 16, 64, 97, 400, 1500}) {
    const widgets::CurveData curve = drawn(columns, widgets::XAxis::Step);
    const auto high = std::ranges::max_element(curve.y), low = std::ranges::min_element(curve.y);
    EXPECT_EQ(*high, 50.0);
    EXPECT_EQ(curve.x[static_cast<std::size_t>(high - curve.y.begin())], 812);
    EXPECT_EQ(*low, 0.0);
    EXPECT_EQ(curve.x[static_cast<std::size_t>(low - curve.y.begin())], 1300);
  }
}

TEST_F(DecimatedCurves, LinesLeadToTheNextPointBesideWhatIsOnShow) {
  write([](int step) { return step % 100 == 0 ? std::nan("") : 5.0 - 0.002 * step; });
  widgets::PlotRequest request;
  request.columns = 100;
  request.smoothing = 0;
  request.fitted = false;
  const auto stepsIn = [&](const widgets::Range& visible) {
    request.visible = visible;
    return FrameBuilder().build(*store, request)->plots.at(QStringLiteral("loss")).curves.at(0).x;
  };
  EXPECT_EQ(stepsIn({811.2, 811.8}), (std::vector<double>{811, 812}));
  EXPECT_EQ(stepsIn({811, 813}), (std::vector<double>{810, 811, 812, 813, 814}));
  EXPECT_EQ(stepsIn({801, 801}), (std::vector<double>{799, 801, 802})) << "to one that is a number";
  EXPECT_EQ(stepsIn({0, 1}), (std::vector<double>{1, 2}));
}

TEST(EvaluationCurves, PiecesThatAreNoBoxHaveAScaleOfTheirOwn) {
  const testing::TempFolder home;
  runs::FakeRun run(home / "run");
  run.hello(0, {{"device", "cpu"}});
  for (int step = 1; step <= 3; ++step)
    run.rank(0, "step", step,
             {{"loss", 1.0}, {"step_s", 1.0}, {"anatomy", {{"forward", 0.9}, {"copy", 0.01}, {"comm", 0.02}}}});
  run.rank(0, "eval", 3, {{"AP", 0.1}, {"malformed", 12.5}});
  run.close();
  auto store = runs::RunStore::open(home / "run").value();
  ASSERT_TRUE(store.refresh().ok());
  const auto frame = FrameBuilder().build(store, {});
  ASSERT_EQ(frame->plots.at(QStringLiteral("evaluation")).curves.size(), 1u);
  ASSERT_EQ(frame->plots.at(QStringLiteral("malformed")).curves.size(), 1u);
  EXPECT_EQ(frame->plots.at(QStringLiteral("malformed")).curves[0].y.back(), 12.5);
  EXPECT_FALSE(frame->anatomy.copy || frame->anatomy.comm) << "one processor has no card and nobody to talk to";
}

TEST(PassingPhases, AreNoEvents) {
  widgets::RunFrame frame;
  frame.phases = {{"training", 10.0, 10.016, 300}, {"saving", 11.0, 12.5, 300}, {"finishing", 12.5, 12.5, 300}};
  const auto rows = widgets::eventRows(frame);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].cells[2], "saving");
}

TEST(MemoryCurves, WhatTensorsTookStandsBesideWhatThePlanSaid) {
  const testing::TempFolder home;
  runs::FakeRun run(home / "run");
  run.hello();
  run.rank(0, "step", 1, {{"loss", 1.0}, {"mem_bytes", 900}, {"tensor_peak_bytes", 500}, {"tensor_plan_bytes", 510}});
  run.close();
  auto store = runs::RunStore::open(home / "run").value();
  ASSERT_TRUE(store.refresh().ok());
  std::map<std::string, double> last;
  const auto frame = FrameBuilder().build(store, {});
  const auto& plot = frame->plots.at(QStringLiteral("tensors"));
  for (std::size_t i = 0; i < plot.curves.size(); ++i) last[plot.specs[i].name.toStdString()] = plot.curves[i].y.back();
  EXPECT_EQ(last, (std::map<std::string, double>{{"held at most", 500}, {"by plan", 510}}));
  EXPECT_EQ(plot.specs.front().line, Qt::SolidLine);
  EXPECT_EQ(plot.specs.back().line, Qt::DashLine) << "what was only thought";
}

TEST(MachineCurves, CarryTheNamesOfTheirMachines) {
  const testing::TempFolder home;
  runs::FakeRun run(home / "run");
  run.hello();
  for (const int node : {0, 1}) {
    run.node(node, "hello", {{"host", "a"}, {"pid", 5 + node}});
    run.node(node, "node", {{"cpu", 50}, {"mem_used", 1e9}, {"gpus", {{{"index", 0}, {"util", 90}}}}});
  }
  run.close();
  const auto names = [&](const char* plot) {
    runs::RunStore store = runs::RunStore::open(home / "run").value();
    EXPECT_TRUE(store.refresh().ok());
    std::set<std::string> all;
    const auto frame = FrameBuilder().build(store, {});
    for (const auto& spec : frame->plots.at(QLatin1String(plot)).specs) all.insert(spec.name.toStdString());
    return all;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(names("memory"), (Names{"machine", "machine 2"})) << "nobody says what they are called";
  protocol::Manifest manifest;
  manifest.runId = "id";
  for (const int node : {0, 1})
    manifest.nodes.push_back({.node = node, .host = "a", .address = "alice@gpu" + std::to_string(node + 1)});
  ASSERT_TRUE(protocol::writeManifest(run.layout().manifest(), manifest).ok());
  EXPECT_EQ(names("memory"), (Names{"gpu1", "gpu2"}));
  runs::RunStore store = runs::RunStore::open(home / "run").value();
  ASSERT_TRUE(store.refresh().ok());
  const auto frame = FrameBuilder().build(store, {});
  EXPECT_EQ(frame->plots.at(QStringLiteral("memory")).specs.front().name, "gpu1") << "the first machine comes first";
  EXPECT_EQ(frame->plots.at(QStringLiteral("utilization")).specs.front().name, "GPU 0 gpu1") << "and its cards";
  EXPECT_EQ(names("utilization"), (Names{"CPU gpu1", "CPU gpu2", "GPU 0 gpu1", "GPU 0 gpu2"}));
}

TEST(CheckpointRows, SayWhereOneLiesAndWhetherTheRunCanGoOn) {
  const auto frameOf = [](runs::CheckpointInfo one) {
    widgets::RunFrame frame;
    one.path = "checkpoint-20";
    frame.checkpoints = {std::move(one)};
    return frame;
  };
  const auto told = [](const widgets::RunFrame& frame) {
    return widgets::eventRows(frame).at(0).cells.join(QLatin1Char(' ')).toStdString();
  };
  const auto away = frameOf({.machine = "gpu2"}), gone = frameOf({.removed = true});
  const auto here = frameOf({.onDisk = true, .complete = true});
  EXPECT_NE(told(away).find("on gpu2"), std::string::npos) << told(away);
  EXPECT_EQ(told(away).find("removed"), std::string::npos) << told(away);
  EXPECT_NE(told(gone).find("removed since"), std::string::npos) << told(gone);
  EXPECT_TRUE(widgets::isResumable(away));
  EXPECT_TRUE(widgets::isResumable(here));
  EXPECT_FALSE(widgets::isResumable(gone));
}

}  // namespace
}  // namespace roadtune::studio
