// SPDX-License-Identifier: GPL-3.0-or-later
// How long a run will take, as the Train page counts it before the start.
#include "app/studio/train_length.h"

#include "core/config/resolve.h"
#include "tests/support/made_data.h"

#include <gtest/gtest.h>

namespace roadtune::testing {
namespace {

std::optional<std::int64_t> stepsWith(studio::SampleCounts& counts, const std::string& more) {
  const auto resolution = config::resolve(
      config::Document("model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                       "\noutput_dir: /o\nnum_train_epochs: 1\n"
                       "per_device_train_batch_size: 4\ngradient_accumulation_steps: 1\n" +
                       more),
      {});
  return studio::stepsOf(*resolution.config, counts.samples(*resolution.config), 1);
}

TEST(TrainLength, CountsWhatIsLearntFrom) {
  studio::SampleCounts counts;  // one for all: what differs must not be taken for known
  const auto all = stepsWith(counts, ""), few = stepsWith(counts, "max_train_samples: 10\n");
  ASSERT_TRUE(all && few);
  EXPECT_GT(*all, 3);
  EXPECT_EQ(*few, 3);
  EXPECT_EQ(stepsWith(counts, "max_train_samples: 1000000\n"), all);
}

}  // namespace
}  // namespace roadtune::testing
