// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/live_edits.h"

#include <gmock/gmock.h>

namespace roadtune::remote {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kRun =
    "model_name_or_path: m\ntrain_data: t.jsonl\neval_data: e.jsonl\ntask: vqa\noutput_dir: out\n"
    "eval_strategy: steps\neval_steps: 5\nsave_strategy: steps\nsave_steps: 10\n";

TEST(LiveEdits, OfStepsBecomeTheConfigurations) {
  config::Document document(kRun, "/runs/a/run.yaml");
  RunPast past;
  past.edits.saveSteps = 20;
  past.edits.evalSteps = 0;
  const auto notes = keepEdits(past, document);
  ASSERT_TRUE(notes.ok()) << notes.error().text();
  EXPECT_THAT(notes.value(), ElementsAre("save_steps=20, set while the run went on, stays",
                                         "eval_steps=0, set while the run went on, stays: never"));
  EXPECT_THAT(document.text(), HasSubstr("save_steps: 20"));
  EXPECT_THAT(document.text(), HasSubstr("eval_strategy: \"no\""));
}

// What was set cannot keep the run from going on: it could not be set back without a living run.
TEST(LiveEdits, ThatNoRunCanBeginWithAreGivenUp) {
  const std::string best = std::string(kRun) + "load_best_model_at_end: true\n";
  for (const std::int64_t steps : {0, 3}) {
    config::Document document(best, "/runs/a/run.yaml");
    RunPast past;
    past.edits.evalSteps = steps;
    past.edits.maxGradNorm = 2;
    const auto notes = keepEdits(past, document);
    ASSERT_TRUE(notes.ok()) << notes.error().text();
    EXPECT_THAT(notes.value(), ElementsAre(HasSubstr("max_grad_norm=2"),
                                           HasSubstr("is given up, as no run begins with it: load_best_model_at_end")));
    EXPECT_THAT(document.text(), HasSubstr("eval_steps: 5"));
    EXPECT_THAT(document.text(), HasSubstr("eval_strategy: steps"));
    EXPECT_THAT(document.text(), HasSubstr("max_grad_norm: 2"));
  }
}

}  // namespace
}  // namespace roadtune::remote
