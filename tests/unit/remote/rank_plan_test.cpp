// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/rank_plan.h"

#include "core/base/unique_fd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <cstdlib>
#include <netinet/in.h>
#include <sys/socket.h>

namespace roadtune::remote {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(RankPlan, SetsTorchrunsEnvironment) {
  const RankPlan plan{.node = 1,
                      .nodes = 2,
                      .processes = 4,
                      .firstRank = 4,
                      .worldSize = 8,
                      .masterAddress = "10.0.0.1",
                      .masterPort = 29500};
  const auto variables = rankEnvironment(plan, 2);
  EXPECT_THAT(variables, Contains(Pair("RANK", "6")));
  EXPECT_THAT(variables, Contains(Pair("LOCAL_RANK", "2")));
  EXPECT_THAT(variables, Contains(Pair("WORLD_SIZE", "8")));
  EXPECT_THAT(variables, Contains(Pair("LOCAL_WORLD_SIZE", "4")));
  EXPECT_THAT(variables, Contains(Pair("NODE_RANK", "1")));
  EXPECT_THAT(variables, Contains(Pair("MASTER_ADDR", "10.0.0.1")));
  EXPECT_THAT(variables, Contains(Pair("MASTER_PORT", "29500")));
}

TEST(RankPlan, SharesTheCoresUnlessTheUserDecided) {
  ::unsetenv("OMP_NUM_THREADS");
  EXPECT_THAT(rankEnvironment({.processes = 1000}, 0), Contains(Pair("OMP_NUM_THREADS", "1")));
  ::setenv("OMP_NUM_THREADS", "7", 1);
  for (const auto& [name, value] : rankEnvironment({}, 0)) EXPECT_NE(name, "OMP_NUM_THREADS") << value;
  ::unsetenv("OMP_NUM_THREADS");
}

TEST(RankPlan, AFreePortCanBeListenedOn) {
  const auto port = findFreePort();
  ASSERT_TRUE(port.ok()) << port.error().text();
  EXPECT_TRUE(checkPortFree(port.value()).ok());
}

TEST(RankPlan, ABusyPortIsRefusedByNumberAndHolder) {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(fd.get(), 1), 0);
  ASSERT_EQ(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  const int port = ntohs(address.sin_port);
  const Status status = checkPortFree(port);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::Missing);
  EXPECT_THAT(status.error().text(),
              HasSubstr("port " + std::to_string(port) + " is in use by process " + std::to_string(::getpid())));
}

TEST(RankPlan, WhatIsNoPortIsBadInput) {
  EXPECT_EQ(checkPortFree(0).error().kind, ErrorKind::BadInput);
  EXPECT_EQ(checkPortFree(70000).error().kind, ErrorKind::BadInput);
}

}  // namespace
}  // namespace roadtune::remote
