// SPDX-License-Identifier: GPL-3.0-or-later
// What is told about runs: comparison, exports.
#include "core/base/text.h"
#include "core/runs/comparison.h"
#include "core/runs/html_report.h"
#include "core/runs/run_csv.h"
#include "core/runs/run_json.h"
#include "core/runs/svg_plot.h"
#include "tests/unit/runs/opened_run.h"

#include <cmath>

namespace roadtune::runs {
namespace {

using nlohmann::json;
using testing::TempFolder;

TEST(Comparison, FindsSettingsAndValuesThatDiffer) {
  TempFolder folder;
  folder.write("a/run.yaml", "seed: 1\nlearning_rate: 1.0e-5\n");
  folder.write("b/run.yaml", "learning_rate: 0.00001  # the same number\nseed: 2\n");
  FakeRun a(folder / "a"), b(folder / "b");
  for (FakeRun* run : {&a, &b}) run->hello();
  a.steps(1, 10, 2.0);
  b.steps(1, 6, 2.0);
  b.steps(7, 12, 1.5);
  b.rank(0, "eval", 12, {{"loss", 1.0}});
  a.close();
  b.close();
  const Comparison comparison = compareRuns(open(folder / "a"), open(folder / "b"));
  const auto seed = std::find_if(comparison.settings.begin(), comparison.settings.end(),
                                 [](const auto& one) { return one.key == "seed"; });
  ASSERT_NE(seed, comparison.settings.end());
  EXPECT_EQ(*seed->a, "1");
  EXPECT_EQ(*seed->b, "2");
  for (const auto& one : comparison.settings) EXPECT_NE(one.key, "learning_rate") << *one.a << " " << *one.b;
  const auto loss = std::find_if(comparison.metrics.begin(), comparison.metrics.end(),
                                 [](const auto& one) { return one.metric == "train/loss"; });
  ASSERT_NE(loss, comparison.metrics.end());
  EXPECT_EQ(loss->step, 10);
  EXPECT_EQ(loss->a, 2.0);
  EXPECT_EQ(loss->b, 1.5);
  EXPECT_EQ(loss->commonSteps, 10u);
  EXPECT_NEAR(loss->meanAbsoluteDifference, 0.2, 1e-12);
  EXPECT_EQ(comparison.firstLossDifference, 7);
  EXPECT_EQ(comparison.onlyInB, (std::vector<std::string>{"eval/loss"}));
}

TEST(Comparison, SectionsAliasesAndDefaultsAreNoDifference) {
  const ConfigText frozen{"data:\n  classes: [vehicle, sign]\ntrain:\n  max_steps: -1\n  learning_rate: 2.0e-5\n",
                          "/r/a"};
  const ConfigText own{"classes: [vehicle, sign]\nlr: 2e-5\nseed: 7\n", "/r/b"};
  const auto different = compareSettings(frozen, own);
  ASSERT_EQ(different.size(), 1u) << different[0].key;
  EXPECT_EQ(different[0].key, "seed");
}

TEST(Comparison, FlattensSectionsAndLists) {
  const auto settings = flattenSettings("train:\n  r: 8 # rank\n  target: [a, b]\ndata:\n  - path: x\n    weight: 2\n");
  EXPECT_EQ(settings, (std::vector<std::pair<std::string, std::string>>{
                          {"train.r", "8"}, {"train.target", "a, b"}, {"data.0.path", "x"}, {"data.0.weight", "2"}}));
}

TEST(CsvExport, HoldsEveryPointOnceByStep) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.rank(0, "step", 1, {{"loss", 0.1}, {"lr", 1e-5}});
  run.rank(0, "step", 2, {{"loss", NAN}, {"lr", 2e-5}});
  run.rank(0, "eval", 2, {{"loss", 0.30000000000000004}});
  run.rank(0, "metric", 3, {{"name", "a,b"}, {"value", INFINITY}});
  run.close();
  const auto lines = split(toCsv(open(folder / "r")), '\n');
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "step,time,\"a,b\",eval/loss,train/learning_rate,train/loss");
  EXPECT_EQ(lines[1], "1,1767225602.000000,,,1e-05,0.1");
  EXPECT_EQ(lines[2], "2,1767225604.000000,,0.30000000000000004,2e-05,nan");
  EXPECT_EQ(lines[3], "3,1767225605.000000,inf,,,");
  EXPECT_EQ(lines[4], "");
}

TEST(JsonExport, HoldsSeriesAndSummary) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.rank(0, "step", 1, {{"loss", NAN}});
  run.rank(0, "bye", 1, {{"reason", "finished"}, {"summary", {{"train_loss", 0.5}}}});
  run.close();
  const json report = json::parse(toJsonWithSeries(open(folder / "r")));
  EXPECT_EQ(report["state"], "finished");
  EXPECT_EQ(report["series"]["train/loss"]["values"], json::array({"nan"}));
  EXPECT_EQ(report["series"]["train/loss"]["steps"], json::array({1}));
  EXPECT_EQ(report["end"]["train_loss"], 0.5);
  EXPECT_EQ(report["metrics"]["train/loss"]["non_finite"], 1);
}

TEST(HtmlExport, NeedsNothingElseAndEscapesWhatRunsSay) {
  TempFolder folder;
  folder.write("r/run.yaml", "run_name: <script>alert(1)</script>\n");
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 50, 2.0);
  run.rank(0, "warning", 3, {{"message", "<b>bold</b>"}});
  run.close();
  const std::string html = toHtml(open(folder / "r"));
  for (const char* outside : {"http://", "https://", "<script", "src=", "@import", "<b>bold"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_NE(html.find(">Loss<"), std::string::npos);
  EXPECT_NE(html.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;alert"), std::string::npos);
}

TEST(SvgPlot, MarksWhatIsNotFiniteAndKeepsSpikes) {
  Series series;
  for (int i = 0; i < 100000; ++i) series.append({i, 1.0 * i, i == 5000 ? NAN : i == 70000 ? 9.0 : 1.0});
  const std::string svg = svgPlot("loss", series);
  EXPECT_NE(svg.find("1 not finite"), std::string::npos);
  EXPECT_NE(svg.find("class=\"band\""), std::string::npos);
  EXPECT_LT(svg.size(), 60000u);
  Series nothing;
  EXPECT_TRUE(endsWith(svgPlot("empty", nothing), "</svg>"));
  nothing.append({1, 1, NAN});
  EXPECT_TRUE(endsWith(svgPlot("only nan", nothing), "</svg>"));
}

TEST(SvgPlot, TicksAreRound) {
  EXPECT_EQ(ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ticks(3, 3, 5), (std::vector<double>{3}));
  for (const double tick : ticks(-0.013, 0.021, 4)) EXPECT_NEAR(std::remainder(tick, 0.01), 0, 1e-12);
}

}  // namespace
}  // namespace roadtune::runs
