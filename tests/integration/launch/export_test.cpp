// SPDX-License-Identifier: GPL-3.0-or-later
// A run handed to other launchers: one job of all ranks, in their own words.
#include "tests/integration/launch/launched_run.h"

#include <gmock/gmock.h>

namespace roadtune::testing {
namespace {

using ::testing::HasSubstr;

class Exported : public LaunchedRun {
 protected:
  std::string job(const std::string& format, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"train", config(), "--export", format};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = roadtune(words);
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return result.out;
  }
  void expectShell(const std::string& text) {
    const auto script = folder().write("job.sh", text);
    const auto parsed = runProgram({"bash", "-n", script.string()});
    EXPECT_EQ(parsed.exitCode, 0) << parsed.err << text;
  }
};

TEST_F(Exported, TorchrunStartsEveryRankOfTheJob) {
  const std::string text = job("torchrun", {"--nodes", "4", "--nproc-per-node", "8"});
  expectShell(text);
  EXPECT_THAT(text, HasSubstr("One job of 4 x 8 = 32 ranks"));
  EXPECT_THAT(text, HasSubstr("torchrun --no-python --nnodes=4 --nproc-per-node=8"));
  EXPECT_THAT(text, HasSubstr("resume_from_checkpoint: latest"));
  EXPECT_FALSE(std::filesystem::exists(run())) << "nothing starts, nothing is written";
}

// A stand-in for torchrun: starts the ranks one by one with the variables that torchrun sets.
TEST_F(Exported, TheScriptOfOneNodeRunsWhereTorchrunIs) {
  folder().write("bin/torchrun", R"(#!/usr/bin/env bash
for word in "$@"; do case "$word" in --nproc-per-node=*) n="${word#*=}";; --*) ;; *) break;; esac; done
while [[ "$1" == --* ]]; do shift; done
for r in $(seq 0 $((n - 1))); do
  RANK=$r LOCAL_RANK=$r WORLD_SIZE=$n LOCAL_WORLD_SIZE=$n MASTER_ADDR=127.0.0.1 MASTER_PORT=1 "$@" < /dev/null & done
wait
)");
  std::filesystem::permissions(folder() / "bin/torchrun", std::filesystem::perms::owner_all);
  const auto script = folder().write("job.sh", job("torchrun", {"--nproc-per-node", "2"}));
  const auto result =
      runProgram({"bash", script.string()},
                 {.environment = {{"PATH", (folder() / "bin").string() + ":" + std::getenv("PATH")},
                                  {"ROADTUNE_TRAIN", std::string(ROADTUNE_BIN_DIR) + "/../fakes/fake-rank"},
                                  {"FAKE_RANK", "steps=5 deaf"}}});
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
  ASSERT_FALSE(rankEvents(1).empty()) << result.out << result.err;
  EXPECT_EQ(rankEvents(1).back().kind, "bye");
  const auto shown = roadtune({"runs", "show", run().string(), "--json"});
  EXPECT_EQ(shown.exitCode, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("\"state\": \"finished\""));
}

TEST_F(Exported, SlurmGetsOneJobWithATaskPerRank) {
  const std::string text = job("slurm", {"--nodes", "4", "--nproc-per-node", "2", "--set", "run_name=night walkers"});
  expectShell(text);
  for (const char* line : {"#SBATCH --nodes=4\n", "#SBATCH --ntasks-per-node=2\n", "#SBATCH --requeue\n",
                           "#SBATCH --job-name=night-walkers\n", "exec srun ", "MASTER_ADDR"})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_EQ(text.find("--gres"), std::string::npos) << "device: cpu";
  EXPECT_THAT(text, HasSubstr("MASTER_PORT=$((20000 + SLURM_JOB_ID % 20000))")) << "two jobs may share a machine";
  EXPECT_THAT(job("slurm", {"--set", "master_port=1234"}), HasSubstr("MASTER_PORT=1234"));
}

TEST_F(Exported, RanksOfTorchrunMeetAtTheFirstMachineHoweverItIsWritten) {
  for (const auto& [host, address] :
       {std::pair{"me@gpu1:2222", "gpu1"}, {"ssh://gpu1", "gpu1"}, {"[fd00::5]:22", "fd00::5"}})
    EXPECT_THAT(job("torchrun", {"--hosts", std::string(host) + ",gpu2"}),
                HasSubstr("MASTER_ADDR:-" + std::string(address) + "}"));
}

TEST_F(Exported, AJobSetHasOneIndexedJobWithAPodPerNode) {
  const auto file = folder() / "job.yaml";
  job("jobset", {"--nodes", "4", "--nproc-per-node", "2", "--image", "registry/roadtune:7", "--out", file.string(),
                 "--set", "run_name=Night walkers!", "--set", "device=auto"});
  const auto checked = runProgram({oraclePython(), "-c", R"(
import sys, yaml
config, jobset = list(yaml.safe_load_all(open(sys.argv[1])))
assert config['kind'] == 'ConfigMap' and jobset['kind'] == 'JobSet'
assert jobset['apiVersion'] == 'jobset.x-k8s.io/v1alpha2'
run = yaml.safe_load(config['data']['run.yaml'])
assert run['max_steps'] == 40 and run['resume_from_checkpoint'] == 'latest', run
(job,) = jobset['spec']['replicatedJobs']
assert job['replicas'] == 1
spec = job['template']['spec']
assert spec['parallelism'] == spec['completions'] == 4 and spec['completionMode'] == 'Indexed'
pod = spec['template']['spec']
assert pod['restartPolicy'] == 'Never'
(container,) = pod['containers']
assert container['image'] == 'registry/roadtune:7'
assert container['resources']['limits'] == {'nvidia.com/gpu': 2}
script = container['args'][0]
assert '--nnodes 4 --nproc-per-node 2' in script and '--node "$JOB_COMPLETION_INDEX"' in script, script
assert '--master-addr night-walkers-node-0-0.night-walkers' in script, script
assert jobset['metadata']['name'] == jobset['spec']['network']['subdomain'] == 'night-walkers'
mounts = {m['name'] for m in container['volumeMounts']}
assert mounts == {v['name'] for v in pod['volumes']}, mounts
paths = [m['mountPath'] for m in container['volumeMounts']]
assert len(paths) == len(set(paths)) and all(p.startswith('/') for p in paths)
open(sys.argv[1] + '.sh', 'w').write(script)
)",
                                   file.string()});
  EXPECT_EQ(checked.exitCode, 0) << checked.err << readAll(file);
  expectShell(readAll(file.string() + ".sh"));
}

TEST_F(Exported, AJobSetFitsThePublishedSchema) {
  const auto file = folder() / "job.yaml";
  setting("environment: {NCCL_IB_DISABLE: \"1\", EMPTY: \"\"}");
  for (const std::string device : {"cpu", "auto"}) {
    job("jobset", {"--nodes", "3", "--nproc-per-node", "2", "--out", file.string(), "--set", "device=" + device});
    const auto checked =
        runProgram({oraclePython(), ROADTUNE_SOURCE_DIR "/tests/integration/launch/job_set_schema.py", file.string()});
    EXPECT_EQ(checked.exitCode, 0) << checked.err << readAll(file);
  }
}

TEST_F(Exported, RecordingsThatNoRankCouldReadAreToldBeforeTheJobWaitsInAQueue) {
  folder().write("training_segment.tfrecord", "");
  const auto told = roadtune({"train", config(), "--export", "slurm", "--set",
                              "train_data=" + (folder() / "training_segment.tfrecord").string()});
  EXPECT_EQ(told.exitCode, 2) << told.out;
  EXPECT_THAT(told.err, HasSubstr("roadtune data index"));
}

TEST_F(Exported, OddWordsAreRefused) {
  const auto unknown = roadtune({"train", config(), "--export", "slrm"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.err, HasSubstr("slurm"));
  EXPECT_EQ(roadtune({"train", config(), "--nodes", "2"}).exitCode, 2);
  EXPECT_EQ(roadtune({"train", config(), "--export", "slurm", "--nodes", "0"}).exitCode, 2);
  EXPECT_EQ(roadtune({"train", config(), "--export", "slurm", "--out", "/nowhere/job.sh"}).exitCode, 2);
}

}  // namespace
}  // namespace roadtune::testing
