// SPDX-License-Identifier: GPL-3.0-or-later
// What is told about runs: comparison, verdicts, exports.
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/runs/comparison.h"
#include "core/runs/diagnosis.h"
#include "core/runs/html_report.h"
#include "core/runs/run_csv.h"
#include "core/runs/run_json.h"
#include "core/runs/svg_plot.h"
#include "tests/unit/runs/fake_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace roadtune::runs {
namespace {

using nlohmann::json;
using testing::TempFolder;

RunStore open(const fs::path& folder) {
  auto store = RunStore::open(folder);
  EXPECT_TRUE(store.ok());
  EXPECT_TRUE(store.value().refresh().ok());
  return std::move(store).value();
}

const Verdict* verdict(const Diagnosis& diagnosis, const std::string& id) {
  const auto found = std::find_if(diagnosis.verdicts.begin(), diagnosis.verdicts.end(),
                                  [&](const Verdict& one) { return one.id == id; });
  return found == diagnosis.verdicts.end() ? nullptr : &*found;
}

bool abstains(const Diagnosis& diagnosis, const std::string& id) {
  return std::any_of(diagnosis.abstained.begin(), diagnosis.abstained.end(),
                     [&](const Abstention& one) { return one.id == id; });
}

void stepWith(FakeRun& run, int rank, int step, const json& anatomy) {
  run.rank(rank, "step", step, {{"loss", 1.0}, {"step_s", 1.0}, {"anatomy", anatomy}});
}

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

TEST(Comparison, FlattensSectionsAndLists) {
  const auto settings = flattenSettings("train:\n  r: 8 # rank\n  target: [a, b]\ndata:\n  - path: x\n    weight: 2\n");
  EXPECT_EQ(settings, (std::vector<std::pair<std::string, std::string>>{
                          {"train.r", "8"}, {"train.target", "a, b"}, {"data.0.path", "x"}, {"data.0.weight", "2"}}));
}

TEST(Diagnosis, NamesALoaderThatIsTooSlow) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (int i = 1; i <= 30; ++i)
    stepWith(run, 0, i, {{"wait", 0.4}, {"forward", 0.2}, {"backward", 0.35}, {"optimizer", 0.05}, {"other", 0.0}});
  for (int i = 0; i < 5; ++i)
    run.node(0, "node", {{"cpu", 20.0}, {"mem_used", 1}, {"mem_total", 100}, {"disk_free", 1e12}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* loader = verdict(diagnosis, "loader-bound");
  ASSERT_NE(loader, nullptr);
  EXPECT_EQ(loader->level, VerdictLevel::Critical);
  EXPECT_NE(loader->evidence.find("40 %"), std::string::npos) << loader->evidence;
  EXPECT_NE(loader->advice.find("dataloader_num_workers"), std::string::npos);
  EXPECT_NEAR(*loader->gain, 1 / 0.6 - 1, 1e-9);
  EXPECT_TRUE(abstains(diagnosis, "gpu-use"));
}

TEST(Diagnosis, AdvisesOtherwiseWhenAllCoresAreBusy) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (int i = 1; i <= 30; ++i) stepWith(run, 0, i, {{"wait", 0.15}});
  for (int i = 0; i < 5; ++i) run.node(0, "node", {{"cpu", 99.0}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  ASSERT_NE(verdict(diagnosis, "loader-bound"), nullptr);
  EXPECT_EQ(verdict(diagnosis, "loader-bound")->level, VerdictLevel::Warning);
  EXPECT_NE(verdict(diagnosis, "loader-bound")->advice.find("will not help"), std::string::npos);
}

TEST(Diagnosis, AHealthyRunIsComputeBoundAndNothingElse) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (int i = 1; i <= 30; ++i)
    stepWith(run, 0, i, {{"wait", 0.01}, {"forward", 0.3}, {"backward", 0.6}, {"optimizer", 0.05}, {"other", 0.04}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* compute = verdict(diagnosis, "compute-bound");
  ASSERT_NE(compute, nullptr);
  EXPECT_EQ(compute->level, VerdictLevel::Info);
  EXPECT_EQ(verdict(diagnosis, "loader-bound"), nullptr);
  EXPECT_EQ(verdict(diagnosis, "communication-bound"), nullptr);
}

TEST(Diagnosis, TellsThatStepsTakeLongerThanTheyDid) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  const auto steps = [&run](int from, int to, double seconds) {
    for (int i = from; i <= to; ++i) run.rank(0, "step", i, {{"loss", 1.0}, {"step_s", seconds}});
  };
  steps(1, 60, 0.5);
  run.flush();
  EXPECT_EQ(verdict(diagnose(open(folder / "r")), "slower"), nullptr);
  steps(61, 80, 0.9);
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* slower = verdict(diagnosis, "slower");
  ASSERT_NE(slower, nullptr);
  EXPECT_EQ(slower->level, VerdictLevel::Warning);
  EXPECT_NE(slower->evidence.find("in the last 20 steps"), std::string::npos) << slower->evidence;
  EXPECT_NEAR(*slower->gain, 0.8, 1e-9);
}

TEST(Diagnosis, TellsThatStepsNoLongerCome) {
  TempFolder folder;
  constexpr int kSilent = 200;  // seconds, one per event
  FakeRun run(folder / "r", wallSeconds() - kSilent - 30);
  run.hello();
  run.rank(0, "phase", 0, {{"name", "training"}});
  run.steps(1, 20, 1.0);
  run.node(0, "node", {{"mem_used", 1}});
  run.flush();
  EXPECT_EQ(verdict(diagnose(open(folder / "r")), "stalled"), nullptr);
  for (int i = 0; i < kSilent; ++i) run.node(0, "node", {{"mem_used", 1}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* stalled = verdict(diagnosis, "stalled");
  ASSERT_NE(stalled, nullptr);
  EXPECT_EQ(stalled->level, VerdictLevel::Critical);
  EXPECT_NE(stalled->evidence.find("after step 20"), std::string::npos) << stalled->evidence;
}

TEST(Diagnosis, TellsCopyingAndWhatLoadingIsMadeOf) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (int i = 1; i <= 30; ++i)
    stepWith(run, 0, i,
             {{"wait", 0.3},
              {"copy", 0.25},
              {"forward", 0.2},
              {"backward", 0.25},
              {"other", 0.0},
              {"read", 0.7},
              {"decode", 0.2},
              {"tokenise", 0.1}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  ASSERT_NE(verdict(diagnosis, "loader-bound"), nullptr);
  EXPECT_NE(verdict(diagnosis, "loader-bound")->evidence.find("loading is 70 % reading"), std::string::npos)
      << verdict(diagnosis, "loader-bound")->evidence;
  const Verdict* copy = verdict(diagnosis, "copy-bound");
  ASSERT_NE(copy, nullptr);
  EXPECT_NE(copy->evidence.find("25 %"), std::string::npos) << copy->evidence;
}

// A card whose counters say how busy its units and its memory are, under steps that do nothing but compute.
Diagnosis diagnosisOfCard(const TempFolder& folder, double units, double memory) {
  FakeRun run(folder / "r");
  run.hello();
  run.rank(0, "phase", 0, {{"name", "training"}});
  for (int i = 1; i <= 30; ++i) {
    stepWith(run, 0, i, {{"wait", 0.0}, {"forward", 0.3}, {"backward", 0.65}, {"optimizer", 0.05}, {"other", 0.0}});
    run.node(0, "node",
             {{"gpus",
               {{{"index", 0},
                 {"util", 99.0},
                 {"sm_active", units},
                 {"dram_active", memory},
                 {"mem_used", 50e9},
                 {"mem_total", 80e9}}}}});
  }
  run.close();
  return diagnose(open(folder / "r"));
}

TEST(Diagnosis, ACardThatIsNotHandedEnoughWorkIsLaunchBound) {
  TempFolder folder;
  const Diagnosis diagnosis = diagnosisOfCard(folder, 20, 25);
  const Verdict* launch = verdict(diagnosis, "launch-bound");
  ASSERT_NE(launch, nullptr);
  EXPECT_NE(launch->evidence.find("busy only 20 %"), std::string::npos) << launch->evidence;
  EXPECT_NEAR(*launch->gain, 4, 1e-9);
  EXPECT_EQ(verdict(diagnosis, "memory-bound"), nullptr);
}

TEST(Diagnosis, ACardThatWaitsForItsMemoryIsMemoryBound) {
  TempFolder folder;
  const Diagnosis diagnosis = diagnosisOfCard(folder, 45, 88);
  EXPECT_NE(verdict(diagnosis, "memory-bound"), nullptr);
  EXPECT_EQ(verdict(diagnosis, "launch-bound"), nullptr);
}

TEST(Diagnosis, ABusyCardIsNeither) {
  TempFolder folder;
  const Diagnosis diagnosis = diagnosisOfCard(folder, 92, 60);
  EXPECT_EQ(verdict(diagnosis, "memory-bound"), nullptr);
  EXPECT_EQ(verdict(diagnosis, "launch-bound"), nullptr);
}

TEST(Diagnosis, NamesTheRankThatOtherMachinesWaitFor) {
  TempFolder folder;
  constexpr int kSilent = 200;
  FakeRun run(folder / "r", wallSeconds() - kSilent - 30);
  run.hello();
  run.rank(0, "phase", 0, {{"name", "training"}});
  run.steps(1, 20, 1.0);
  for (int i = 0; i < kSilent; ++i) run.node(0, "node", {{"mem_used", 1}});
  const auto in = [](int rank, int number, bool finished) {
    return nlohmann::json{{"rank", rank},        {"number", number},     {"what", "sum"}, {"group", ""},
                          {"bytes", 25'000'000}, {"finished", finished}, {"begun", 1.0}};
  };
  run.node(0, "warning", {{"message", "no step"}, {"exchanges", {in(0, 412, false), in(1, 412, false)}}});
  run.flush();
  EXPECT_EQ(verdict(diagnose(open(folder / "r")), "stalled")->evidence.find("has not come"), std::string::npos)
      << "one machine alone cannot tell";
  run.node(1, "warning", {{"message", "no step"}, {"exchanges", {in(2, 411, true), in(3, 412, false)}}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* stalled = verdict(diagnosis, "stalled");
  ASSERT_NE(stalled, nullptr);
  EXPECT_NE(stalled->evidence.find("rank 2 has not come to the sum no. 412 of 25.0 MB, in which 3 wait for it"),
            std::string::npos)
      << stalled->evidence;
}

TEST(Diagnosis, AbstainsWithoutSignals) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  EXPECT_TRUE(abstains(diagnosis, "step-anatomy"));
  EXPECT_TRUE(abstains(diagnosis, "loss"));
  EXPECT_TRUE(abstains(diagnosis, "disk-full"));
}

TEST(Diagnosis, FindsTheRankThatTheOthersWaitFor) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello(0, {{"world_size", 4}});
  for (int rank = 0; rank < 4; ++rank)
    for (int i = 1; i <= 30; ++i)
      stepWith(run, rank, i,
               rank == 2 ? json{{"wait", 0.3},
                                {"forward", 0.2},
                                {"backward", 0.4},
                                {"optimizer", 0.05},
                                {"comm", 0.05},
                                {"other", 0.0}}
                         : json{{"wait", 0.0},
                                {"forward", 0.2},
                                {"backward", 0.4},
                                {"optimizer", 0.05},
                                {"comm", 0.35},
                                {"other", 0.0}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* straggler = verdict(diagnosis, "straggler");
  ASSERT_NE(straggler, nullptr);
  EXPECT_EQ(straggler->title, "Rank 2 holds the others up");
  EXPECT_NE(straggler->advice.find("waiting for samples"), std::string::npos) << straggler->advice;
  EXPECT_NE(verdict(diagnosis, "communication-bound"), nullptr);
}

TEST(Diagnosis, ReadsTheMachinesCounters) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.rank(0, "phase", 0, {{"name", "training"}});
  run.rank(0, "checkpoint", 1, {{"path", "checkpoint-1"}, {"bytes", 8e9}});
  for (int i = 0; i < 20; ++i)
    run.node(0, "node",
             {{"cpu", 10.0},
              {"mem_used", 63e9},
              {"mem_total", 64e9},
              {"disk_free", 9e9},
              {"gpus",
               {{{"index", 0}, {"util", 20.0}, {"mem_used", 10e9}, {"mem_total", 80e9}, {"throttle", {"thermal"}}}}}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  for (const char* id : {"memory-low", "disk-full", "batch-too-small", "throttled"})
    EXPECT_NE(verdict(diagnosis, id), nullptr) << id;
}

TEST(Diagnosis, ExplainsAFailureByItsLog) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 3, 1.0);
  run.rank(0, "receipt", 1, {{"ok", false}, {"mismatch", {"vision_tower: frozen, but updated"}}});
  run.rank(0, "bye", 3, {{"reason", "failed"}, {"exit_code", 1}});
  run.close();
  folder.write("r/logs/rank-000.log", "step 3\nCUDA out of memory. Tried to allocate 2 GiB\n");
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  ASSERT_NE(verdict(diagnosis, "out-of-gpu-memory"), nullptr);
  EXPECT_NE(verdict(diagnosis, "out-of-gpu-memory")->advice.find("gradient_checkpointing"), std::string::npos);
  ASSERT_NE(verdict(diagnosis, "receipt"), nullptr);
  EXPECT_EQ(diagnosis.verdicts.front().level, VerdictLevel::Critical);
}

TEST(Diagnosis, SeesLossesThatAreNoNumbersOrRunAway) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 80, 1.0);
  run.rank(0, "step", 81, {{"loss", NAN}});
  for (int i = 82; i < 95; ++i) run.rank(0, "step", i, {{"loss", 30.0}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  ASSERT_NE(verdict(diagnosis, "non-finite"), nullptr);
  EXPECT_NE(verdict(diagnosis, "non-finite")->evidence.find("step 81"), std::string::npos);
  EXPECT_NE(verdict(diagnosis, "diverged"), nullptr);
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
