// SPDX-License-Identifier: GPL-3.0-or-later
// Preflight over real machines: what is between them, what they hold, and each trouble with its own message.
#include "core/base/clock.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace roadtune::remote {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::runProgram;
using testing::TestNetwork;

class Preflight : public testing::HostRuns {
 protected:
  static json check(const TestNetwork& network, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"fleet", "check", "--hosts", network.hosts(), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = roadtune(network, words);
    const auto parsed = json::parse(result.out, nullptr, false);
    EXPECT_TRUE(parsed.is_object()) << result.out << result.err;
    return parsed;
  }
  static json named(const json& checks, const std::string& name) {
    for (const auto& one : checks)
      if (one["name"].get<std::string>().starts_with(name)) return one;
    return json{{"name", name}, {"verdict", "absent"}, {"value", ""}, {"fix", ""}};
  }
};

TEST_F(Preflight, EveryPairIsMeasuredAndTheDataIsCompared) {
  TestNetwork network(3);
  const json told = check(network, {"--config", config()});
  const json links = named(told["together"], "links");
  EXPECT_EQ(links["verdict"], "ok") << told.dump(1);
  EXPECT_THAT(links["value"].get<std::string>(), HasSubstr("6 of 6 pairs"));
  const json data = named(told["together"], "data " + model());
  EXPECT_EQ(data["verdict"], "ok") << told.dump(1);
  EXPECT_THAT(data["value"].get<std::string>(), HasSubstr("the same everywhere"));
}

TEST_F(Preflight, WhatACopyLeavesOutMakesNoDifference) {
  TestNetwork network(2);
  network.mountThere(1, std::filesystem::path(config()).parent_path(), "size=400m");
  const auto beside = std::filesystem::path(model()) / "notes.lock";
  std::ofstream(beside) << "training does not read this";
  const auto synced = roadtune(network, {"fleet", "sync", config(), "--hosts", network.hosts(), "--yes"});
  const json told = check(network, {"--config", config(), "--no-links"});
  std::filesystem::remove(beside);
  EXPECT_EQ(synced.exitCode, 0) << synced.err;
  const json data = named(told["together"], "data " + model());
  EXPECT_EQ(data["verdict"], "ok") << told.dump(1);
  EXPECT_THAT(data["value"].get<std::string>(), HasSubstr("the same everywhere"));
}

TEST_F(Preflight, TheMachinesOfTheConfigurationAreMeantWhereNoneIsNamed) {
  TestNetwork network(1);
  // Beside the other one: its paths may be relative.
  const auto file = std::filesystem::path(config()).parent_path() / "with-hosts.yaml";
  std::ofstream(file) << testing::readAll(config()) << "\nhosts: [host1]\n";
  const auto checked = roadtune(network, {"fleet", "check", "--config", file.string(), "--no-links", "--json"});
  EXPECT_THAT(checked.out, HasSubstr("\"host\": \"host1\"")) << checked.err;
  const auto synced = roadtune(network, {"fleet", "sync", file.string(), "--look"});
  EXPECT_THAT(synced.out, HasSubstr("host1: has everything")) << synced.err;
  const auto scaled = roadtune(network, {"scale", file.string(), "--nodes", "1,2", "--steps", "2"});
  EXPECT_EQ(scaled.exitCode, 2) << scaled.out;
  EXPECT_THAT(scaled.err, HasSubstr("2 machines are wanted, 1"));
}

TEST_F(Preflight, WhatOfTheConfigurationOfSshIsNotFollowedIsSaid) {
  TestNetwork network(1);
  std::ofstream(network.sshConfig(), std::ios::app) << "\nHost host1\n  PreferredAuthentications publickey\nHost "
                                                       "host2\n  HostName 10.0.0.1\n  ProxyCommand nc %h %p\n";
  const auto checked = roadtune(network, {"fleet", "check", "--hosts", "host1,host2", "--no-links"});
  const std::string note = "'preferredauthentications' is not supported";
  EXPECT_THAT(checked.out, HasSubstr(note));
  EXPECT_THAT(checked.err, HasSubstr("note: "));
  EXPECT_EQ(checked.err.find(note), checked.err.rfind(note)) << "once, however often it connects: " << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("ProxyCommand is not supported"));
  EXPECT_THAT(checked.out, HasSubstr("→ ProxyJump"));
  const json told = check(network, {"--no-links"});
  EXPECT_THAT(named(told["hosts"].front()["checks"], "reach").dump(), HasSubstr(note));
  const auto trained = roadtune(network, trainWords(folder() / "run", 2, {"--hosts", "host2"}));
  EXPECT_EQ(trained.exitCode, 2) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("ProxyJump"));
}

TEST_F(Preflight, ASecondFileOfKnownHostsCounts) {
  TestNetwork network(1);
  std::string text = testing::readAll(network.sshConfig());
  const std::string keyword = "UserKnownHostsFile ";
  ASSERT_NE(text.find(keyword), std::string::npos) << text;
  folder().write("other_hosts", "");
  text.insert(text.find(keyword) + keyword.size(), (folder() / "other_hosts").string() + " ");
  std::ofstream(network.sshConfig()) << text;
  EXPECT_EQ(named(check(network, {"--no-links"})["hosts"].front()["checks"], "reach")["verdict"], "ok");
  EXPECT_EQ(testing::readAll(folder() / "other_hosts"), "") << "nothing had to be asked";
}

TEST_F(Preflight, AHomeThatCannotBeWrittenToHasAWordOfHelp) {
  TestNetwork network(1);
  network.mountThere(0, network.home(0), "ro,size=1m");
  const json reach = named(check(network, {"--no-links"})["hosts"].front()["checks"], "reach");
  EXPECT_EQ(reach["verdict"], "bad");
  EXPECT_THAT(reach["fix"].get<std::string>(), HasSubstr("~/.roadtune"));
}

TEST_F(Preflight, TheDiskIsThatOfWhereRunsGo) {
  TestNetwork network(1);
  const auto diskOf = [](const json& told) {
    return named(told["hosts"].front()["checks"], "disk")["value"].get<std::string>();
  };
  EXPECT_THAT(diskOf(check(network, {"--no-links"})),
              HasSubstr(" free at " + (network.home(0) / ".roadtune").string() + ", "));
  std::filesystem::create_directories(network.home(0) / ".roadtune/runs");
  EXPECT_THAT(diskOf(check(network, {"--no-links"})),
              HasSubstr(" free at " + (network.home(0) / ".roadtune/runs").string() + ", "));
  EXPECT_THAT(diskOf(check(network, {"--no-links", "--folder", "/tmp"})), HasSubstr(" free at /tmp, "));

  const auto place = folder().path() / "big disk";
  std::filesystem::create_directories(place);
  const auto run = folder().write("run.yaml", "model_name_or_path: " + model() + "\ntrain_data: " + model() +
                                                  "\noutput_dir: " + (place / "night").string() + "\n");
  const auto here = roadtune(network, {"fleet", "check", "--config", run.string(), "--json"});
  EXPECT_THAT(diskOf(json::parse(here.out)), HasSubstr(" free at " + place.string() + ", ")) << here.out << here.err;
}

TEST_F(Preflight, TheStepAtHandIsNamedWhileItRuns) {
  TestNetwork network(2);
  const auto told = roadtune(network, {"fleet", "check", "--hosts", network.hosts(), "--progress", "json"});
  EXPECT_EQ(told.exitCode, 0) << told.out << told.err;
  for (const char* step : {"{\"stage\":\"links\",\"done\":0,\"total\":2,\"unit\":\"pairs\"",
                           "{\"stage\":\"links\",\"done\":2,\"total\":2", "{\"stage\":\"sum over pairs\""})
    EXPECT_THAT(told.err, HasSubstr(step));
  EXPECT_THAT(told.out, ::testing::Not(HasSubstr("stage"))) << "the matrix alone";
}

TEST_F(Preflight, ASlowLinkIsNamed) {
  TestNetwork network(3);
  network.limitRate(2, "100mbit");
  const json told = check(network);
  EXPECT_EQ(named(told["together"], "link host3 → host1")["verdict"], "warn") << told["together"].dump(1);
  EXPECT_EQ(named(told["together"], "link host1 → host2")["verdict"], "absent") << told["together"].dump(1);
}

TEST_F(Preflight, ADirectionThatIsClosedIsNamed) {
  TestNetwork network(2);
  network.closeWay(0, 1);
  const json told = check(network);
  EXPECT_EQ(named(told["together"], "link host1 → host2")["verdict"], "bad") << told["together"].dump(1);
}

TEST_F(Preflight, AnAllReduceNamesThePairThatCannotOrIsSlow) {
  TestNetwork network(3);
  const json before = named(check(network)["together"], "all-reduce");
  EXPECT_EQ(before["verdict"], "unknown");
  EXPECT_THAT(before["value"].get<std::string>(), HasSubstr("our programs are not there yet"));
  const auto trained =
      roadtune(network, trainWords(folder() / "run", 1, {"--hosts", network.hosts(), "--nproc-per-node", "1"}));
  ASSERT_EQ(trained.exitCode, 0) << trained.err;
  const json after = check(network), fine = named(after["together"], "all-reduce");
  EXPECT_EQ(named(after["hosts"][0]["checks"], "torch")["verdict"], "ok") << "the run has shown that it is there";
  EXPECT_EQ(fine["verdict"], "ok") << fine.dump(1);
  EXPECT_THAT(fine["value"].get<std::string>(), HasSubstr("3 machines add up 4 MB in "));
  EXPECT_EQ(fine["backend"], "gloo");
  EXPECT_THAT(fine["value"].get<std::string>(), HasSubstr("over Gloo; no NCCL: "));
  EXPECT_EQ(named(after["together"], "same nccl")["verdict"], "ok") << after.dump(1);

  network.limitRate(2, "50mbit");
  const json slow = check(network)["together"];
  EXPECT_EQ(named(slow, "all-reduce host1 ↔ host3")["verdict"], "warn") << slow.dump(1);
  EXPECT_EQ(named(slow, "all-reduce host2 ↔ host3")["verdict"], "warn") << slow.dump(1);
  EXPECT_EQ(named(slow, "all-reduce host1 ↔ host2")["verdict"], "absent") << slow.dump(1);

  network.limitRate(2, "10gbit");
  network.closeWay(1, 2);
  network.closeWay(2, 1);
  const double began = monotonicSeconds();
  const json closed = check(network)["together"];
  EXPECT_EQ(named(closed, "all-reduce host2 ↔ host3")["verdict"], "bad") << closed.dump(1);
  EXPECT_EQ(named(closed, "all-reduce host1 ↔ host2")["verdict"], "absent") << closed.dump(1);
  EXPECT_LT(monotonicSeconds() - began, 30) << "a hang is found in seconds";
}

TEST_F(Preflight, AHomeThatCannotBeWrittenToIsSaidInItsOwnWords) {
  for (const auto& [options, words] :
       {std::pair{"ro,size=1m", "ead-only"}, std::pair{"size=64k", "No space left on device"}}) {
    TestNetwork network(1);
    network.mountThere(0, network.home(0), options);
    const auto result = roadtune(network, trainWords(folder() / "run", 2, {"--hosts", "host1"}));
    EXPECT_EQ(result.exitCode, options == std::string("size=64k") ? 1 : 3);
    EXPECT_THAT(result.err, HasSubstr(words));
    EXPECT_THAT(result.err, HasSubstr("(try: "));
    EXPECT_THAT(result.err, HasSubstr(network.address(0)));
    EXPECT_FALSE(std::filesystem::exists(folder() / "run")) << "nothing is written for a run that cannot start";
  }
}

TEST_F(Preflight, AClockThatIsWrongIsNamed) {
  const std::filesystem::path library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
  if (!std::filesystem::exists(library)) GTEST_SKIP() << "no faketime";
  TestNetwork network(1);
  std::ofstream(network.home(0) / ".bashrc") << "export LD_PRELOAD=" << library.string() << " FAKETIME=+90s\n";
  const json told = check(network, {"--no-links"});
  const json clock = named(told["hosts"][0]["checks"], "clock");
  EXPECT_EQ(clock["verdict"], "warn") << told.dump(1);
  EXPECT_NEAR(std::stod(clock["value"].get<std::string>()), 90'000, 5'000) << told.dump(1);
  EXPECT_THAT(clock["fix"].get<std::string>(), HasSubstr("chrony"));
}

TEST_F(Preflight, AnotherReleaseOfNcclBesideTorchIsNamedWithItsFix) {
  TestNetwork network(2);
  for (int host = 0; host < 2; ++host) {
    const auto packages = network.home(host) / "packages";
    std::filesystem::create_directories(packages / "torch/lib");
    std::filesystem::create_directories(packages / "nvidia/nccl/lib");
    std::ofstream(packages / "torch/lib/libtorch_cpu.so") << "is only looked for";
    std::ofstream(packages / "torch/version.py") << "__version__ = '2.11.0+cu130'\n";
    std::ofstream(network.home(host) / ".bashrc") << "export ROADTUNE_TORCH=" << (packages / "torch").string() << "\n";
  }
  const std::filesystem::path real = torchFolder() / "../../nvidia/nccl/lib/libnccl.so.2";
  if (!std::filesystem::exists(real)) GTEST_SKIP() << "this torch comes without NCCL";
  std::filesystem::create_symlink(real, network.home(0) / "packages/nvidia/nccl/lib/libnccl.so.2");
  std::filesystem::copy_file(ROADTUNE_BIN_DIR "/../fakes/libfake-nccl.so",
                             network.home(1) / "packages/nvidia/nccl/lib/libnccl.so.2");
  const json told = check(network, {"--no-links"});
  const std::string first = named(told["hosts"][0]["checks"], "nccl")["value"];
  EXPECT_THAT(first, ::testing::StartsWith("2.")) << told.dump(1);
  EXPECT_NE(first, "2.27.3");
  EXPECT_EQ(named(told["hosts"][1]["checks"], "nccl")["value"], "2.27.3");
  const json same = named(told["together"], "same nccl");
  EXPECT_EQ(same["verdict"], "warn") << "there is no card here: " << same.dump();
  EXPECT_THAT(same["value"].get<std::string>(), HasSubstr(first + " on host1"));
  EXPECT_THAT(same["value"].get<std::string>(), HasSubstr("2.27.3 on host2"));
  EXPECT_THAT(same["fix"].get<std::string>(), HasSubstr("pip install nvidia-nccl-cu13==" + first));
}

TEST_F(Preflight, NamesOfMachinesAreReadBeforeAnythingIsAsked) {
  TestNetwork network(1);
  for (const std::string name : {"host1:", ":22", "host1:99999", "host1:0", "-oProxyCommand=x"}) {
    const auto result = roadtune(network, {"fleet", "check", "--hosts=" + name, "--no-links"});
    EXPECT_EQ(result.exitCode, 2) << name << result.out << result.err;
    EXPECT_THAT(result.err, HasSubstr(name));
  }
  for (const std::string& other : {std::string("host1:22"), network.address(0)}) {
    const auto checked = roadtune(network, {"fleet", "check", "--hosts", "host1," + other, "--no-links"});
    EXPECT_EQ(checked.exitCode, 2) << checked.out;
    EXPECT_THAT(checked.err, HasSubstr("host1 and " + other + " are the same machine"));
    const auto trained = roadtune(network, trainWords(folder() / "run", 2, {"--hosts", "host1," + other}));
    EXPECT_EQ(trained.exitCode, 2) << trained.out;
  }
}

TEST_F(Preflight, OneMachineOnTwoWaysIsSeenWhenItIsAsked) {
  TestNetwork network(2);
  const std::string config = testing::readAll(network.sshConfig());
  const auto end = config.find("Host ", 1);
  ASSERT_EQ(config.find("Host host1\n"), 0U) << config;
  std::ofstream(network.sshConfig()) << "Host twin\n  ProxyJump host2\n" << config.substr(11, end - 11) << config;
  const auto checked = roadtune(network, {"fleet", "check", "--hosts", "host1,twin", "--no-links", "--json"});
  EXPECT_EQ(checked.exitCode, 3) << checked.err;
  const json said = named(json::parse(checked.out)["together"], "machines");
  EXPECT_EQ(said["verdict"], "bad");
  EXPECT_EQ(said["value"], "host1 and twin are the same machine");
  const auto apart = roadtune(network, {"fleet", "check", "--hosts", network.hosts(), "--no-links", "--json"});
  EXPECT_EQ(named(json::parse(apart.out)["together"], "machines")["verdict"], "absent") << apart.out;
}

TEST_F(Preflight, SeveralUnknownKeysCanBeVouchedFor) {
  TestNetwork network(2);
  std::vector<std::string> words{"fleet", "check", "--hosts", network.hosts(), "--no-links"};
  for (int host = 0; host < 2; ++host) {
    network.forgetHostKey(host);
    const auto key = network.folder() / (network.name(host) + "_key.pub");
    const auto shown = runProgram({"ssh-keygen", "-lf", key.string()}).out;
    const auto from = shown.find("SHA256:");
    words.insert(words.end(), {"--trust-host-key", shown.substr(from, shown.find(' ', from) - from)});
  }
  const auto unknown = roadtune(network, {"fleet", "check", "--hosts", "host1", "--no-links"});
  EXPECT_THAT(unknown.out, HasSubstr("--trust-host-key"));
  const auto trusted = roadtune(network, words);
  EXPECT_EQ(trusted.exitCode, 0) << trusted.out << trusted.err;
}

TEST_F(Preflight, AMachineThatIsOffIsOneLine) {
  TestNetwork network(2);
  network.cable(1, false);
  const json told = check(network, {"--no-links"});
  EXPECT_EQ(told["hosts"][0]["checks"][0]["verdict"], "ok");
  EXPECT_EQ(told["hosts"][1]["checks"][0]["name"], "reach");
  EXPECT_EQ(told["hosts"][1]["checks"][0]["verdict"], "bad");
}

}  // namespace
}  // namespace roadtune::remote
