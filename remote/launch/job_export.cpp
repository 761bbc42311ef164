// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/job_export.h"

#include "core/base/text.h"
#include "core/config/resolve.h"
#include "remote/launch/job_set.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/ssh_target.h"

#include <fmt/format.h>

#include <cctype>

namespace roadtune::remote {

namespace {

constexpr const char* kEndOfFile = "END_OF_RUN_YAML";
constexpr int kSaveSeconds = 300;  // between Slurm's warning and its time limit

// Shell lines that make the run's folder with its configuration. Written aside and renamed: nodes that share the folder
// may all do it.
Result<std::string> makeRunFolder(const LaunchPlan& plan) {
  const std::string yaml = config::frozenYaml(plan.document, plan.config);
  for (const auto& line : split(yaml, '\n'))
    if (line == kEndOfFile) return badInput("holds the line " + line, plan.document.path().string(), "remove it");
  return fmt::format(
      "run={}\n"
      "mkdir -p \"$run/events\" \"$run/logs\"\n"
      "cat > \"$run/.run.yaml.$$\" <<'{}'\n{}{}{}\n"
      "mv \"$run/.run.yaml.$$\" \"$run/run.yaml\"\n",
      shellQuote(plan.folder.string()), kEndOfFile, yaml, endsWith(yaml, "\n") ? "" : "\n", kEndOfFile);
}

std::string exports(const LaunchPlan& plan) {
  std::string lines;
  for (const auto& [name, value] : plan.environment) lines += fmt::format("export {}={}\n", name, shellQuote(value));
  return lines;
}

std::string summary(const LaunchPlan& plan, int nodes) {
  return fmt::format("# One job of {} x {} = {} ranks. Made by roadtune {}; watch it with: roadtune attach {}\n", nodes,
                     plan.ranks.processes, nodes * plan.ranks.processes, ROADTUNE_VERSION, plan.folder.string());
}

int portOf(const LaunchPlan& plan) { return static_cast<int>(plan.config.integer("master_port")); }

Result<std::string> torchrunScript(const LaunchPlan& plan, int nodes) {
  ROADTUNE_TRY(const std::string folder, makeRunFolder(plan));
  std::string master = plan.config.isSet("master_addr") ? plan.config.text("master_addr")
                       : nodes == 1                     ? "127.0.0.1"
                       : plan.hosts.empty()             ? ""
                                                        : plan.hosts.front();
  if (!master.empty() && !plan.config.isSet("master_addr")) {
    ROADTUNE_TRY(const SshTarget first, parseSshTarget(master));
    master = first.alias;
  }
  const std::string address =
      master.empty() ? "\"${MASTER_ADDR:?name the first machine}\"" : fmt::format("\"${{MASTER_ADDR:-{}}}\"", master);
  std::string script = "#!/usr/bin/env bash\n" + summary(plan, nodes);
  if (nodes > 1) script += "# Start it on every machine, with NODE_RANK=0 on the first, 1 on the next, and so on.\n";
  script += "set -euo pipefail\n" + folder + exports(plan);
  const char* place = nodes > 1 ? "\"${NODE_RANK:?0 on the first machine, 1 on the next}\"" : "0";
  // Without the two dashes torchrun takes our --run for a beginning of its own --run-path.
  script += fmt::format(
      "exec torchrun --no-python --nnodes={} --nproc-per-node={} --node-rank={} \\\n"
      "  --master-addr={} --master-port=\"${{MASTER_PORT:-{}}}\" \\\n"
      "  -- \"${{ROADTUNE_TRAIN:-roadtune-train}}\" --run \"$run\"\n",
      nodes, plan.ranks.processes, place, address, portOf(plan));
  return script;
}

// Slurm reads its own lines; it takes no quotes there that every release understands alike.
std::string slurmName(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_') c = '-';
  return name;
}

// Everything srun starts gets its place in the job from Slurm.
constexpr const char* kSlurmRank =
    "export RANK=\"$SLURM_PROCID\" LOCAL_RANK=\"$SLURM_LOCALID\" WORLD_SIZE=\"$SLURM_NTASKS\" "
    "NODE_RANK=\"$SLURM_NODEID\"; exec \"$0\" --run \"$1\" >> \"$1/logs/rank-$(printf %03d \"$RANK\").log\" 2>&1";

Result<std::string> slurmScript(const LaunchPlan& plan, int nodes) {
  ROADTUNE_TRY(const std::string folder, makeRunFolder(plan));
  const bool gpus = plan.config.text("device") != "cpu";
  const std::string name = plan.config.text("run_name");
  std::string script = "#!/usr/bin/env bash\n";
  script += fmt::format("#SBATCH --job-name={}\n", slurmName(name.empty() ? plan.folder.filename().string() : name));
  script += fmt::format("#SBATCH --nodes={}\n#SBATCH --ntasks-per-node={}\n", nodes, plan.ranks.processes);
  if (gpus) script += fmt::format("#SBATCH --gres=gpu:{}\n", plan.ranks.processes);
  script += "#SBATCH --output=slurm-%j.out\n#SBATCH --requeue\n";
  script += fmt::format("#SBATCH --signal=TERM@{}\n", kSaveSeconds);
  script += summary(plan, nodes);
  script += fmt::format(
      "# {} s before its time is up the ranks save and end; started again, the job goes on from there.\n"
      "# The folder of the run must lie on a file system that all nodes share.\n",
      kSaveSeconds);
  script += "set -euo pipefail\n" + folder + exports(plan);
  // Two jobs may share a first machine.
  const std::string port =
      plan.config.isSet("master_port") ? std::to_string(portOf(plan)) : "$((20000 + SLURM_JOB_ID % 20000))";
  script += fmt::format(
      "MASTER_ADDR=\"$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\"\n"
      "export MASTER_ADDR MASTER_PORT={} LOCAL_WORLD_SIZE={}\n",
      port, plan.ranks.processes);
  script += fmt::format("exec srun --kill-on-bad-exit=1 bash -c {} \"${{ROADTUNE_TRAIN:-roadtune-train}}\" \"$run\"\n",
                        shellQuote(kSlurmRank));
  return script;
}

}  // namespace

Result<JobFormat> parseJobFormat(std::string_view name) {
  if (name == "torchrun") return JobFormat::Torchrun;
  if (name == "slurm") return JobFormat::Slurm;
  if (name == "jobset") return JobFormat::JobSet;
  const std::vector<std::string> known{"torchrun", "slurm", "jobset"};
  const std::string nearest = nearestWord(std::string(name), known);
  return badInput("'" + std::string(name) + "' is no kind of job", "--export",
                  nearest.empty() ? join(known, ", ") : nearest);
}

Result<std::string> exportJob(const LaunchPlan& plan, const JobExport& wanted) {
  if (wanted.nodes < 1 || wanted.nodes > 100'000) return badInput("a job has at least one node", "--nodes");
  switch (wanted.format) {
    case JobFormat::Torchrun: return torchrunScript(plan, wanted.nodes);
    case JobFormat::Slurm: return slurmScript(plan, wanted.nodes);
    case JobFormat::JobSet: return jobSetManifest(plan, wanted);
  }
  return failed("unknown kind of job");
}

}  // namespace roadtune::remote
