// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/reduce_matrix.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace roadtune::remote {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const std::vector<std::string> kNobody(2);

json rank(int other, const char* backend, const std::vector<std::string>& obstacles) {
  return {{"pairs", {{{"other", other}, {"seconds", 0.001}, {"error", ""}}}},
          {"seconds", 0.012},
          {"error", ""},
          {"backend", backend},
          {"obstacles", obstacles}};
}

TEST(Reduce, TheSumSaysWhatCarriedIt) {
  const auto checks = judgeReduce({"a", "b"}, {rank(1, "nccl", {"", ""}), rank(0, "nccl", {"", ""})}, kNobody);
  ASSERT_THAT(checks, SizeIs(1));
  EXPECT_EQ(checks[0].verdict, Verdict::Fine);
  EXPECT_EQ(checks[0].value, "2 machines add up 4 MB in 12 ms over NCCL between graphics cards");
  EXPECT_EQ(checks[0].backend, "nccl");
}

TEST(Reduce, WithoutNcclTheReasonIsTold) {
  const std::vector<std::string> one{"", "there is no NVIDIA driver here"};
  auto checks = judgeReduce({"a", "b"}, {rank(1, "gloo", one), rank(0, "gloo", one)}, kNobody);
  EXPECT_EQ(checks[0].value, "2 machines add up 4 MB in 12 ms over Gloo; no NCCL: b: there is no NVIDIA driver here");
  EXPECT_EQ(checks[0].backend, "gloo");
  const std::vector<std::string> both(2, "there is no NVIDIA driver here");
  checks = judgeReduce({"a", "b"}, {rank(1, "gloo", both), rank(0, "gloo", both)}, kNobody);
  EXPECT_THAT(checks[0].value, HasSubstr("no NCCL: there is no NVIDIA driver here")) << "said once";
}

TEST(Reduce, AMachineThatTellsNothingIsNamedWithTheReason) {
  const auto checks = judgeReduce({"a", "b"}, {json(), json()}, {"", "killed"});
  ASSERT_THAT(checks, SizeIs(2));
  EXPECT_EQ(checks[0].verdict, Verdict::Bad);
  EXPECT_EQ(checks[1].name, "all-reduce b");
  EXPECT_EQ(checks[1].value, "killed");
  EXPECT_THAT(checks[1].fix, HasSubstr("nccl_socket_ifname"));
}

}  // namespace
}  // namespace roadtune::remote
