// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/link_matrix.h"

#include "remote/launch/data_agreement.h"
#include "remote/launch/job_set.h"

#include <gmock/gmock.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Link link(const char* from, const char* to, double bytes, double latency = 1e-4) {
  return {.from = from, .to = to, .latencySeconds = latency, .bytesPerSecond = bytes};
}

TEST(Links, EqualOnesAreOneLine) {
  const auto checks = judgeLinks({link("a", "b", 1e9), link("b", "a", 1.1e9)});
  ASSERT_THAT(checks, SizeIs(1));
  EXPECT_EQ(checks[0].verdict, Verdict::Fine);
  EXPECT_THAT(checks[0].value, HasSubstr("2 of 2 pairs"));
}

TEST(Links, TheBadPairIsNamedWithItsDirection) {
  Link cut{.from = "a", .to = "c", .error = "No route to host"};
  const auto checks = judgeLinks({link("a", "b", 1e9), link("b", "a", 1e9), link("c", "a", 1e8), cut});
  ASSERT_THAT(checks, SizeIs(3));
  EXPECT_THAT(checks[0].value, HasSubstr("3 of 4 pairs"));
  EXPECT_EQ(checks[1].name, "link c → a");
  EXPECT_EQ(checks[1].verdict, Verdict::Doubtful);
  EXPECT_EQ(checks[2].name, "link a → c");
  EXPECT_EQ(checks[2].verdict, Verdict::Bad);
  EXPECT_THAT(checks[2].value, HasSubstr("No route"));
}

TEST(Links, WhenNobodyReachesAnybodyThatIsSaid) {
  const auto checks = judgeLinks({{.from = "a", .to = "b", .error = "x"}, {.from = "b", .to = "a", .error = "x"}});
  EXPECT_EQ(checks[0].verdict, Verdict::Bad);
}

TEST(DataAgreement, SameDifferentAndAbsentAreToldApart) {
  const Fingerprints found{
      {"a", {{"/m", {true, "11", 3, 9000}}, {"/d", {true, "22", 1, 5}}, {"/e", {true, "33", 1, 1}}}},
      {"b", {{"/m", {true, "11", 3, 9000}}, {"/d", {true, "23", 1, 5}}, {"/e", {}}}}};
  const auto checks = judgeData(found, {"/m", "/d", "/e"});
  ASSERT_THAT(checks, SizeIs(3));
  EXPECT_EQ(checks[0].verdict, Verdict::Fine);
  EXPECT_THAT(checks[0].value, HasSubstr("3 files"));
  EXPECT_THAT(checks[1].value, HasSubstr("differs: 22 on a; 23 on b"));
  EXPECT_EQ(checks[2].verdict, Verdict::Bad);
  EXPECT_THAT(checks[2].value, HasSubstr("is not on b"));
}

TEST(KubernetesNames, AreWhatKubernetesTakes) {
  EXPECT_EQ(kubernetesName("Night walkers!"), "night-walkers");
  EXPECT_EQ(kubernetesName("7 days"), "run-7-days");
  EXPECT_EQ(kubernetesName("___"), "run");
  EXPECT_LE(kubernetesName(std::string(100, 'x')).size(), 40u);
}

}  // namespace
}  // namespace roadtune::remote
