// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that have no torch and no way to an index of packages get it from here, once for all who share a home.
#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "remote/transfer/torch_here.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <thread>

namespace roadtune::remote {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::readAll;
using testing::TestNetwork;

class CopiedTorch : public testing::HostRuns {
 protected:
  static std::uint64_t size() {
    const auto parts = torchHere(false);
    EXPECT_TRUE(parts.ok());
    return parts.ok() ? parts.value().bytes() : 0;
  }
  // What the trainer would find by itself. Their network leads nowhere, so that pip finds nothing either.
  static void hideTorch(const TestNetwork& network, int hosts) {
    for (int host = 0; host < hosts; ++host) network.mountThere(host, torchFolder(), "ro,size=4k");
  }
  // A Python whose pip finds torch in an index and installs it into $1 by `how`.
  static void givePip(const TestNetwork& network, int host, const std::string& how) {
    const auto python = network.home(host) / "bin/python3";
    std::filesystem::create_directories(python.parent_path());
    std::ofstream(python) << "#!/bin/sh\n[ \"$1 $2\" = '-m pip' ] || exit 1\n[ $3 = index ] && echo 'Available "
                             "versions: 2.12.0, 2.11.0'\n[ $3 = install ] || exit 0\n"
                             "while [ \"$1\" != --target ]; do shift; done; shift\n"
                          << how << "\n";
    std::filesystem::permissions(python, std::filesystem::perms::owner_all);
    std::ofstream(network.home(host) / ".bashrc") << "export PATH=" << python.parent_path().string() << ":$PATH\n";
  }
  static std::filesystem::path copyOn(const TestNetwork& network, int host) {
    return network.home(host) / ".roadtune/torch-2.11.0/torch";
  }
  std::vector<std::string> words(const std::string& run, const std::string& hosts) const {
    auto words = trainWords(folder() / run, 1, {"--hosts", hosts, "--nproc-per-node", "1"});
    std::replace(words.begin(), words.end(), std::string("none"), std::string("json"));
    return words;
  }
  static std::vector<json> toldOf(const std::string& err, const std::string& stage) {
    std::vector<json> lines;
    for (const auto& line : split(err, '\n'))
      if (json told = json::parse(line, nullptr, false); told.is_object() && told.value("stage", "") == stage)
        lines.push_back(std::move(told));
    return lines;
  }
  // Of every machine.
  static std::vector<json> torchChecks(const TestNetwork& network) {
    const auto told = roadtune(network, {"fleet", "check", "--hosts", network.hosts(), "--no-links", "--json"});
    const json parsed = json::parse(told.out, nullptr, false);
    std::vector<json> checks;
    for (const auto& host : parsed["hosts"])
      for (const auto& one : host["checks"])
        if (one["name"] == "torch") checks.push_back(one);
    return checks;
  }
};

TEST_F(CopiedTorch, TheFirstRunCopiesItOnceForAllWhoShareAHomeAndTheNextOneNothing) {
  TestNetwork network(3);
  hideTorch(network, 3);
  std::filesystem::remove_all(network.home(2));
  std::filesystem::create_directory_symlink(network.home(1), network.home(2));
  const auto other = network.home(1) / "other";
  std::filesystem::create_directories(other / "lib");
  std::ofstream(other / "lib/libtorch_cpu.so") << "of another version";
  std::ofstream(other / "version.py") << "__version__ = '2.9.1+cpu'\n";
  givePip(network, 0, "echo 'ERROR: no room' >&2; exit 1");
  std::ofstream(network.home(1) / ".bashrc") << "export ROADTUNE_TORCH=" << other.string() << "\n";
  const auto before = torchChecks(network);
  ASSERT_EQ(before.size(), 3u);
  EXPECT_THAT(before[0]["fix"].get<std::string>(), HasSubstr("the first run installs it with pip"));
  EXPECT_EQ(before[1]["verdict"], "unknown") << "another version is not taken";
  EXPECT_THAT(before[1]["fix"].get<std::string>(), HasSubstr("the first run copies it from here ("));

  const auto first = roadtune(network, words("first", network.hosts()));
  ASSERT_EQ(first.exitCode, 0) << first.err;
  const auto told = toldOf(first.err, "copying torch");
  ASSERT_FALSE(told.empty()) << first.err;
  EXPECT_FALSE(toldOf(first.err, "installing torch").empty()) << "the first one's pip has failed: " << first.err;
  EXPECT_EQ(told.back()["done"], 2 * size()) << "two homes, three machines";
  EXPECT_EQ(told.back()["total"], 2 * size());
  EXPECT_EQ(told.back()["unit"], "bytes");
  EXPECT_THAT(readAll(copyOn(network, 0) / "version.py"), HasSubstr("2.11.0"));
  EXPECT_FALSE(std::filesystem::exists(copyOn(network, 0) / "lib/libtorch_cuda.so")) << "no card, no GPU half";

  const auto second = roadtune(network, words("second", network.hosts()));
  EXPECT_EQ(second.exitCode, 0) << second.err;
  EXPECT_TRUE(toldOf(second.err, "copying torch").empty()) << second.err;
  const json after = torchChecks(network).at(0);
  EXPECT_EQ(after["verdict"], "ok") << after;
  EXPECT_THAT(after["value"].get<std::string>(), HasSubstr((copyOn(network, 0) / "lib").string()));
}

TEST_F(CopiedTorch, ACopyThatWasCutGoesOnAndTwoLaunchesAtOnceMakeOne) {
  TestNetwork network(2);
  hideTorch(network, 1);
  const auto log = folder() / "log";
  const UniqueFd err(::open(log.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  auto command = prefixed(words("cut", "host1"));
  command[0] = testing::programPath(command[0]);
  auto killed = Subprocess::start({.command = command,
                                   .environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}},
                                   .output = Stream::null(),
                                   .error = Stream::given(err.get())});
  ASSERT_TRUE(killed.ok());
  std::uint64_t done = 0;
  while (done < size() / 4 && !killed.value().poll()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (const auto told = toldOf(readAll(log), "copying torch"); !told.empty()) done = told.back()["done"];
  }
  ::kill(killed.value().pid(), SIGKILL);
  EXPECT_EQ(killed.value().wait().signal, SIGKILL) << readAll(log);
  EXPECT_FALSE(std::filesystem::exists(copyOn(network, 0) / "version.py")) << "half a copy is no torch";
  EXPECT_EQ(torchChecks(network).at(0)["verdict"], "unknown");

  auto one = roadtuneInBackground(network, words("one", "host1"));
  const auto two = roadtune(network, words("two", "host1"));
  const auto other = one.get();
  EXPECT_EQ(other.exitCode, 0) << other.err;
  EXPECT_EQ(two.exitCode, 0) << two.err;
  const auto first = toldOf(other.err, "copying torch"), second = toldOf(two.err, "copying torch");
  EXPECT_NE(first.empty(), second.empty()) << "one of them copies, the other waits\n" << other.err << two.err;
  EXPECT_FALSE(toldOf(first.empty() ? other.err : two.err, "waiting").empty()) << other.err << two.err;
  const auto& rest = first.empty() ? second : first;
  ASSERT_FALSE(rest.empty());
  std::uint64_t begun = 0;  // of the large file, whose finished pieces are not sent again
  for (const auto& line : rest)
    if (begun < 10'000'000) begun = line["done"];
  EXPECT_GT(begun, done / 2) << rest.front();
  EXPECT_TRUE(std::is_sorted(rest.begin(), rest.end(), [](const json& a, const json& b) {
    return a["done"] < b["done"];
  })) << "a piece that had not wholly arrived was taken for finished, and all is sent again";

  // The other machine has an index of packages: its pip is asked to install.
  network.mountThere(1, torchFolder(), "ro,size=4k");
  givePip(network, 1, "mkdir -p \"$1\" && ln -s " + copyOn(network, 0).parent_path().string() + "/* \"$1\"");
  const auto three = roadtune(network, words("three", "host2"));
  EXPECT_EQ(three.exitCode, 0) << three.err;
  EXPECT_FALSE(toldOf(three.err, "installing torch").empty()) << three.err;
  EXPECT_TRUE(toldOf(three.err, "copying torch").empty()) << three.err;
}

TEST_F(CopiedTorch, ADiskThatIsTooSmallIsSaidBeforeAnythingIsCopied) {
  TestNetwork network(1);
  hideTorch(network, 1);
  network.mountThere(0, network.home(0), "size=300m");
  const json told = torchChecks(network).at(0);
  EXPECT_EQ(told["verdict"], "unknown");
  EXPECT_THAT(told["fix"].get<std::string>(), HasSubstr("in its home, where the first run copies it to from here"));
  const auto refused = roadtune(network, words("run", "host1"));
  EXPECT_EQ(refused.exitCode, 3) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("torch 2.11.0 is not on this machine and cannot be installed: "));
  EXPECT_THAT(refused.err, HasSubstr("the disk is too small for torch 2.11.0: 457."));
  EXPECT_THAT(refused.err, HasSubstr("free space there"));
  EXPECT_THAT(refused.err, HasSubstr(network.address(0)));
  EXPECT_TRUE(toldOf(refused.err, "copying torch").empty());
  EXPECT_FALSE(std::filesystem::exists(folder() / "run")) << "nothing is written for a run that cannot start";
}

}  // namespace
}  // namespace roadtune::remote
