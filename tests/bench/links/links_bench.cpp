// SPDX-License-Identifier: GPL-3.0-or-later
// What SSH makes of a link: megabytes a second each way, and how far the live plot is behind. The links are those of a
// relay (tests/support/tcp_relay.h) on this machine.
#include "core/base/clock.h"
#include "core/base/hash.h"
#include "remote/ssh/download.h"
#include "remote/ssh/upload.h"
#include "remote/transfer/mirror.h"
#include "tests/support/local_host.h"
#include "tests/support/program.h"
#include "tests/support/ssh_server.h"
#include "tests/support/tcp_relay.h"
#include "tests/support/test_network.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

namespace roadtune::remote {
namespace {

using testing::SshServer;
using testing::TcpRelay;
using testing::TempFolder;
using testing::Way;

struct Link {
  const char* name;
  Way way;
  std::size_t bytes;    // copied
  int lostPercent = 0;  // of the packets of a machine in a network namespace, each way; TCP sees it
};

const Link kLinks[] = {
    {"this machine", {}, 512 << 20},
    {"1 Gbit/s, 1 ms", {.delay = 0.0005, .bytesPerSecond = 125e6}, 256 << 20},
    {"1 Gbit/s, 20 ms", {.delay = 0.01, .bytesPerSecond = 125e6}, 256 << 20},
    {"1 Gbit/s, 100 ms", {.delay = 0.05, .bytesPerSecond = 125e6}, 512 << 20},
    {"100 Mbit/s, 40 ms", {.delay = 0.02, .bytesPerSecond = 12.5e6}, 48 << 20},
    {"20 Mbit/s, 80 ms, 1 % lost", {.delay = 0.04, .bytesPerSecond = 2.5e6, .loss = 0.01}, 12 << 20},
    {"packets, none lost", {}, 64 << 20, 0},
    {"packets, 1 % lost", {}, 64 << 20, 1},
    {"packets, 5 % lost", {}, 16 << 20, 5},
};

// A server behind a link, and a connection to it.
struct Bench {
  explicit Bench(const Link& link) : relay(server.port(), link.way) {
    host = testing::hostOf(server, home / "known_hosts", relay.port());
    prompts.trustUnknownKey = [](const UnknownKey&) { return true; };
    if (!std::string_view(link.name).starts_with("packets")) return;
    network = std::make_unique<testing::TestNetwork>(1);
    if (link.lostPercent > 0 && !network->losePackets(0, link.lostPercent)) std::puts("no packets could be lost");
    host = SshConfig::load(network->sshConfig()).value().resolve("host1").value();
  }
  std::unique_ptr<testing::TestNetwork> network;
  TempFolder home, here, there;
  SshServer server;
  TcpRelay relay;
  HostSpec host;
  Prompts prompts;
};

void copyThere(benchmark::State& state, const Link& link) {
  Bench bench(link);
  const auto file = bench.home.write("file", testing::noise(link.bytes));
  auto session = Session::connect(bench.host, bench.prompts);
  for (auto _ : state)
    if (!uploadFile(session.value(), file, bench.there / "file").ok()) state.SkipWithError("the copy failed");
  state.SetBytesProcessed(static_cast<std::int64_t>(link.bytes));
}

void copyHere(benchmark::State& state, const Link& link) {
  Bench bench(link);
  const std::string content = testing::noise(link.bytes);
  const RemoteFile wanted{bench.there.write("file", content).string(), content.size(), sha256Hex(content)};
  auto session = Session::connect(bench.host, bench.prompts);
  for (auto _ : state)
    if (!downloadFile(session.value(), wanted, bench.here / "file").ok()) state.SkipWithError("the copy failed");
  state.SetBytesProcessed(static_cast<std::int64_t>(link.bytes));
}

// A step every 50 ms, and how long after it was written its line is here.
void liveLag(benchmark::State& state, const Link& link) {
  Bench bench(link);
  bench.there.write("events/rank-000.jsonl", "begin\n");
  Mirror mirror({bench.host, testing::programPath("roadtune-agent"), bench.there.path()}, bench.here.path(),
                bench.prompts, SshConfig{});
  const auto size = [&] {
    std::error_code code;
    const auto found = std::filesystem::file_size(bench.here / "events/rank-000.jsonl", code);
    return code ? 0 : found;
  };
  while (size() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::vector<double> lags;
  for (auto _ : state) {
    std::uintmax_t written = 6;
    for (int step = 0; step < 200; ++step) {
      const std::string line = "step " + std::to_string(step) + std::string(400, '.') + "\n";
      std::ofstream(bench.there / "events/rank-000.jsonl", std::ios::app) << line;
      const double began = monotonicSeconds();
      written += line.size();
      while (size() < written) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      lags.push_back(monotonicSeconds() - began);
      const double rest = 0.05 - lags.back();
      if (rest > 0) std::this_thread::sleep_for(std::chrono::duration<double>(rest));
    }
  }
  std::sort(lags.begin(), lags.end());
  state.counters["median_ms"] = lags[lags.size() / 2] * 1000;
  state.counters["p95_ms"] = lags[lags.size() * 95 / 100] * 1000;
  state.counters["most_ms"] = lags.back() * 1000;
}

}  // namespace
}  // namespace roadtune::remote

int main(int argc, char** argv) {
  using namespace roadtune::remote;
  if (!roadtune::testing::SshServer::available()) return std::puts("links: needs root and openssh-server"), 0;
  benchmark::Initialize(&argc, argv);
  for (const Link& link : kLinks) {
    const std::string name = link.name;
    const auto once = [](auto* one) { one->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond); };
    once(benchmark::RegisterBenchmark(("copy there/" + name).c_str(), copyThere, link));
    once(benchmark::RegisterBenchmark(("copy here/" + name).c_str(), copyHere, link));
    once(benchmark::RegisterBenchmark(("live events/" + name).c_str(), liveLag, link));
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
