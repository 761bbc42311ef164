// SPDX-License-Identifier: GPL-3.0-or-later
// The look at the network where the numbers lie on a card.
#include "core/engine/cuda/plugin.h"
#include "core/engine/reduce_probe.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace roadtune::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result<ReduceReport> alone(const char* port) {
  for (const auto& [name, value] : {std::pair{"RANK", "0"}, {"WORLD_SIZE", "1"}, {"MASTER_ADDR", "127.0.0.1"}})
    ::setenv(name, value, 1);
  ::setenv("MASTER_PORT", port, 1);
  auto report = probeReduce();
  for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"}) ::unsetenv(name);
  return report;
}

TEST(ReduceOnACard, ARankAloneAddsUpByNccl) {
  if (const auto card = cuda::startDevice(0); !card.ok()) GTEST_SKIP() << card.error().text();
  const auto report = alone("29713");
  ASSERT_TRUE(report.ok()) << report.error().text();
  EXPECT_EQ(report.value().backend, "nccl");
  EXPECT_THAT(report.value().obstacles, ElementsAre(IsEmpty()));
  EXPECT_EQ(report.value().error, "");
  EXPECT_GT(report.value().seconds, 0);
}

TEST(ReduceOnACard, WithoutACardItIsGlooAndTheReasonIsTold) {
  if (cuda::driverInstalled()) GTEST_SKIP() << "there is a driver here";
  const auto report = alone("29714");
  ASSERT_TRUE(report.ok()) << report.error().text();
  EXPECT_EQ(report.value().backend, "gloo");
  EXPECT_THAT(report.value().obstacles, ElementsAre(HasSubstr("libcuda.so.1")));
  EXPECT_EQ(report.value().error, "");
  EXPECT_GT(report.value().seconds, 0);
}

}  // namespace
}  // namespace roadtune::engine
