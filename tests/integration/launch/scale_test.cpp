// SPDX-License-Identifier: GPL-3.0-or-later
// The same job on growing numbers of machines, measured.
#include "tests/integration/launch/launched_run.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace roadtune::testing {
namespace {

using ::testing::HasSubstr;

class Scaled : public LaunchedRun {};

TEST_F(Scaled, EveryNumberIsMeasuredAndComparedWithLinear) {
  rank("steps=100000 step_ms=10");
  const auto result = roadtune({"scale", config(), "--nodes", "1,2", "--steps", "6", "--json"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("this measures the program"));
  const auto points = nlohmann::json::parse(result.out)["points"];
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0]["ranks"], 1);
  EXPECT_EQ(points[1]["ranks"], 2);
  for (const auto& point : points) {
    EXPECT_EQ(point["steps"], 6);
    EXPECT_NEAR(point["samples_per_second"], 800.0, 1.0) << "8 samples in each step of 10 ms";
  }
  EXPECT_NEAR(points[1]["efficiency"], 0.5, 0.01) << "the stand-in does not get faster";
  const auto reports = folder() / "out-scale";
  EXPECT_THAT(readAll(reports / "scaling.html"), HasSubstr("<polyline"));
  EXPECT_TRUE(std::filesystem::exists(reports / "scaling.json"));
  EXPECT_FALSE(protocol::RunLayout(reports / "nodes-1").lastCompleteCheckpoint().has_value()) << "nothing is saved";
}

TEST_F(Scaled, NumbersThatMakeNoSenseAreRefused) {
  for (const char* nodes : {"0", "2,1", "1,1"})
    EXPECT_EQ(roadtune({"scale", config(), "--nodes", nodes}).exitCode, 2) << nodes;
  EXPECT_EQ(roadtune({"scale", config(), "--nodes", "1,2", "--hosts", "a"}).exitCode, 2);
}

TEST_F(Scaled, AFailingJobIsTheJobsFailure) {
  rank("steps=40 crash=2");
  const auto result = roadtune({"scale", config(), "--steps", "6"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.err, HasSubstr("rank 0 failed first"));
}

}  // namespace
}  // namespace roadtune::testing
