// SPDX-License-Identifier: GPL-3.0-or-later
// Losses that ended higher than they began, and those that only look like it.
#include "core/runs/loss_course.h"

#include "core/runs/run_catalogue.h"
#include "tests/unit/runs/opened_run.h"

#include <cmath>
#include <functional>
#include <random>

namespace roadtune::runs {
namespace {

using testing::TempFolder;

Series seriesOf(int from, int to, const std::function<double(int)>& value, int every = 1) {
  Series series;
  for (int step = from; step <= to; step += every) series.append({step, double(step), value(step)});
  return series;
}

double noise(int step) {
  std::mt19937 random(static_cast<unsigned>(step));
  return std::normal_distribution<double>(0, 1)(random);
}

TEST(LossCourse, ALossThatJumpedWithTheFirstStepHasRisen) {
  const auto rise = lossRise(seriesOf(1, 200, [](int step) { return step == 1 ? 7.65 : 36 + 4 * noise(step); }));
  ASSERT_TRUE(rise);
  EXPECT_DOUBLE_EQ(rise->begin, 7.65);
  EXPECT_NEAR(rise->now, 36, 4);
  EXPECT_TRUE(rise->grave());
}

TEST(LossCourse, ALossThatRoseSlowlyHasRisen) {
  const auto rise = lossRise(seriesOf(1, 200, [](int step) { return 2 + step / 200.0 + 0.1 * noise(step); }));
  ASSERT_TRUE(rise);
  EXPECT_FALSE(rise->grave());
}

TEST(LossCourse, NoiseAndShortRunsAndLowBeginningsAreNoRise) {
  EXPECT_FALSE(lossRise(seriesOf(1, 29, [](int step) { return double(step); }))) << "too short to tell";
  std::mt19937 random(7);
  std::normal_distribution<double> level(1, 0.3);
  for (int run = 0; run < 1000; ++run)
    EXPECT_FALSE(lossRise(seriesOf(1, 60, [&](int) { return level(random); }))) << run;
  EXPECT_FALSE(lossRise(seriesOf(1, 100, [](int step) { return 0.5 + 4 * std::exp(-step / 20.0); })));
  EXPECT_FALSE(lossRise(seriesOf(1, 100, [](int step) { return step == 60 ? 50.0 : 1.0; }))) << "one spike";
  EXPECT_FALSE(lossRise(seriesOf(400, 600, [](int step) { return 0.4 + 0.08 * noise(step); }))) << "resumed, and level";
  EXPECT_FALSE(lossRise(seriesOf(1, 100, [](int) { return NAN; })));
}

TEST(LossCourse, AnEvaluationLossThatTurnedWhileTrainingWentOnHasRisen) {
  const Series training = seriesOf(1, 300, [](int step) { return 7 * std::exp(-step / 60.0) + 0.1; });
  const auto turned = [](int step) { return step == 50 ? 3.4 : 3.8 + step / 400.0; };
  const auto rise = evalRise(seriesOf(50, 300, turned, 50), training);
  ASSERT_TRUE(rise);
  EXPECT_EQ(rise->bestStep, 50);
  EXPECT_DOUBLE_EQ(rise->best, 3.4);
  EXPECT_DOUBLE_EQ(rise->now, 4.55);
  EXPECT_FALSE(evalRise(seriesOf(50, 100, turned, 50), training)) << "one worse evaluation may be chance";
  EXPECT_FALSE(evalRise(seriesOf(
                            50, 300, [](int step) { return step == 50 ? 3.4 : 3.5; }, 50),
                        training))
      << "hardly higher";
  EXPECT_FALSE(evalRise(seriesOf(50, 300, turned, 50), seriesOf(1, 300, [](int) { return 3.0; })))
      << "training did not get better either";
}

void steps(FakeRun& run, const std::function<double(int)>& loss) {
  run.hello();
  for (int step = 1; step <= 100; ++step)
    run.rank(
        0, "step", step,
        {{"loss", loss(step)}, {"step_s", 1.0}, {"anatomy", {{"wait", 0.5}, {"forward", 0.3}, {"backward", 0.2}}}});
}

TEST(LossCourse, IsToldBeforeThePaceAndInTheList) {
  TempFolder folder;
  FakeRun run(folder / "r");
  steps(run, [](int step) { return step == 1 ? 7.65 : 36 + noise(step); });
  run.rank(0, "bye", 100, {{"reason", "finished"}, {"exit_code", 0}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  ASSERT_NE(verdict(diagnosis, "loader-bound"), nullptr);
  EXPECT_EQ(diagnosis.verdicts.front().id, "loss-higher");
  EXPECT_EQ(diagnosis.verdicts.front().title, "The loss ended higher than it began");
  EXPECT_EQ(diagnosis.verdicts.front().evidence.find("7.65 at the start, 3"), 0U)
      << diagnosis.verdicts.front().evidence;
  EXPECT_NE(diagnosis.verdicts.front().advice.find("learning_rate"), std::string::npos);
  EXPECT_TRUE(describeRun(folder / "r").value().lossRisen);
}

TEST(LossCourse, AHealthyRunHasNoWordOfIt) {
  TempFolder folder;
  FakeRun run(folder / "r");
  steps(run, [](int step) { return 5 * std::exp(-step / 30.0) + 0.5; });
  run.close();
  EXPECT_EQ(verdict(diagnose(open(folder / "r")), "loss-higher"), nullptr);
  EXPECT_FALSE(describeRun(folder / "r").value().lossRisen);
}

TEST(LossCourse, TheCheckpointOfTheBestEvaluationIsNamed) {
  TempFolder folder;
  FakeRun run(folder / "r");
  steps(run, [](int step) { return 5 * std::exp(-step / 30.0) + 0.5; });
  for (const int step : {20, 50, 80, 100}) run.rank(0, "eval", step, {{"loss", step == 50 ? 3.0 : 4.0}});
  run.flush();
  EXPECT_EQ(verdict(diagnose(open(folder / "r")), "eval-rising")->advice,
            "fewer steps, or keep the best checkpoint with load_best_model_at_end");
  run.rank(0, "checkpoint", 50, {{"path", "checkpoint-50"}, {"bytes", 8.0}});
  run.close();
  folder.write("r/checkpoint-50/COMPLETE", "");
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* rising = verdict(diagnosis, "eval-rising");
  ASSERT_NE(rising, nullptr);
  EXPECT_EQ(rising->title, "The evaluation loss has risen since step 50");
  EXPECT_EQ(rising->evidence, "from 3 to 4, while the training loss fell");
  EXPECT_EQ(rising->advice, "use checkpoint-50, where it was lowest");
}

}  // namespace
}  // namespace roadtune::runs
