// SPDX-License-Identifier: GPL-3.0-or-later
// How long `roadtune fleet check` takes for eight machines: network namespaces with an sshd each, on the cores of this
// machine. First without what lies between them, then with links and the sum.
#include "tests/support/program.h"
#include "tests/support/test_network.h"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <cstdio>

namespace roadtune {
namespace {

constexpr int kMachines = 8;

// Machines that have the programs of runs: one step was trained on them.
class Fleet {
 public:
  static Fleet& instance() {
    static Fleet fleet;
    return fleet;
  }
  testing::ProgramResult roadtune(std::vector<std::string> words) const {
    words.insert(words.begin(), "roadtune");
    return testing::runProgram(
        words, {.environment = {{"ROADTUNE_SSH_CONFIG", m_network.sshConfig()}}, .timeoutSeconds = 300});
  }
  std::string hosts() const { return m_network.hosts(); }
  std::string config() const { return (m_demo / "demo.yaml").string(); }

 private:
  Fleet() {
    roadtune({"demo", "--out", m_demo.path().string(), "--prepare-only", "--progress", "none"});
    const auto trained = roadtune({"train", config(), "--hosts", hosts(), "--nproc-per-node", "1", "--progress", "none",
                                   "--set", "max_steps=1", "--set", "output_dir=" + (m_demo / "run").string(), "--set",
                                   "per_device_train_batch_size=1"});
    if (trained.exitCode != 0) std::printf("no sum will be tried: %s\n", trained.err.c_str());
  }
  testing::TempFolder m_demo;
  testing::TestNetwork m_network{kMachines};
};

void check(benchmark::State& state, const std::vector<std::string>& more) {
  std::vector<std::string> words{"fleet", "check", "--hosts", Fleet::instance().hosts(), "--json"};
  words.insert(words.end(), more.begin(), more.end());
  std::string sum;
  for (auto _ : state) {
    const auto told = Fleet::instance().roadtune(words);
    const auto matrix = nlohmann::json::parse(told.out, nullptr, false);
    if (!matrix.is_object()) return state.SkipWithError(told.err.c_str());
    for (const auto& one : matrix["together"])
      if (one["name"] == "all-reduce") sum = one["value"];
  }
  state.SetLabel(sum);
}

void machines(benchmark::State& state) { check(state, {"--no-links"}); }
void linksAndSum(benchmark::State& state) { check(state, {"--config", Fleet::instance().config()}); }

BENCHMARK(machines)->Iterations(5)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(linksAndSum)->Iterations(5)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roadtune

int main(int count, char** words) {
  if (!roadtune::testing::TestNetwork::available()) {
    std::puts("network namespaces and a throw-away sshd need root");
    return 0;
  }
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
}
