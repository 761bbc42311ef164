// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/slurm_cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace roadtune::testing {

namespace fs = std::filesystem;

namespace {

bool eventually(int seconds, const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return true;
}

// Whoever waits for the end of the test's output must not wait for a daemon.
pid_t spawn(const std::vector<std::string>& command, const fs::path& output) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  const int log = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  for (const int fd : {1, 2}) ::dup2(log, fd);
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  ::_exit(127);
}

}  // namespace

std::string SlurmCluster::absent() {
  if (!TestNetwork::available()) return "network namespaces and a throw-away sshd need root";
  for (const char* program : {"slurmctld", "slurmd", "sbatch", "srun", "munged", "unshare"})
    if (runProgram({"bash", "-c", std::string("command -v ") + program}).exitCode != 0)
      return std::string(program) + " is not installed";
  return {};
}

SlurmCluster::SlurmCluster(const TestNetwork& network, int machines) : m_network(network), m_machines(machines) {
  network.nameHosts();
  writeFiles();
  const auto file = [this](const char* name) { return (m_folder / name).string(); };
  m_daemons.push_back(
      spawn({"munged", "--foreground", "--force", "--socket=" + file("munge.socket"), "--key-file=" + file("munge.key"),
             "--pid-file=" + file("munge.pid"), "--seed-file=" + file("munge.seed"), "--log-file=" + file("munge.log")},
            m_folder / "munged.out"));
  EXPECT_TRUE(eventually(20, [this] { return fs::exists(m_folder / "munge.socket"); })) << logs();
  start(0, {"slurmctld", "-D", "-f", file("slurm.conf")}, "slurmctld.out");
  for (int machine = 1; machine < machines; ++machine)
    start(machine, {"slurmd", "-D", "-f", file("slurm.conf")}, "slurmd-" + m_network.name(machine) + ".out");
  EXPECT_TRUE(eventually(40, [this] {
    const auto idle = run({"sinfo", "--noheader", "--Node", "--states=idle", "--format=%N"});
    return std::count(idle.out.begin(), idle.out.end(), '\n') == m_machines - 1;
  })) << logs();
}

void SlurmCluster::writeFiles() {
  fs::permissions(m_folder.path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  std::string key;
  for (int i = 0; i < 64; ++i) key += static_cast<char>('A' + (i * 7 + ::getpid()) % 26);
  fs::permissions(m_folder.write("munge.key", key), fs::perms::owner_read);
  // The version that takes no cgroups to start is that of 22.05; these daemons have none of their own here.
  m_folder.write("cgroup.conf", "CgroupPlugin=cgroup/v1\n");
  const std::string here = m_folder.path().string();
  std::string config =
      "ClusterName=test\nSlurmctldHost=" + m_network.name(0) + "(" + m_network.address(0) +
      ")\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket=" + here +
      "/munge.socket\nStateSaveLocation=" + here + "/state\nSlurmdSpoolDir=" + here +
      "/spool-%n\nSlurmctldPidFile=" + here + "/ctld.pid\nSlurmdPidFile=" + here +
      "/slurmd-%n.pid\n"
      "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
      "JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n"
      "MpiDefault=none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n"
      "SchedulerType=sched/builtin\nSlurmdParameters=config_overrides\nReturnToService=2\nKillWait=5\n";
  fs::create_directories(m_folder / "state");
  for (int machine = 1; machine < m_machines; ++machine) {
    config += "NodeName=" + m_network.name(machine) + " NodeAddr=" + m_network.address(machine) + " CPUs=2\n";
    fs::create_directories(m_folder / ("spool-" + m_network.name(machine)));
  }
  m_folder.write("slurm.conf", config + "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n");
}

void SlurmCluster::start(int machine, const std::vector<std::string>& words, const std::string& output) {
  m_daemons.push_back(spawn(m_network.on(machine, words), m_folder / output));
}

SlurmCluster::~SlurmCluster() {
  for (const pid_t pid : m_daemons) ::kill(pid, SIGKILL);
  for (const pid_t pid : m_daemons) ::waitpid(pid, nullptr, 0);
}

ProgramResult SlurmCluster::run(const std::vector<std::string>& words,
                                std::map<std::string, std::string> environment) const {
  environment["SLURM_CONF"] = (m_folder / "slurm.conf").string();
  return runProgram(m_network.on(0, words), {.environment = std::move(environment), .timeoutSeconds = 30});
}

int SlurmCluster::submit(const fs::path& script, const std::map<std::string, std::string>& environment) const {
  const auto told =
      run({"sbatch", "--parsable", "--chdir=" + script.parent_path().string(), script.string()}, environment);
  EXPECT_EQ(told.exitCode, 0) << told.err << logs();
  return std::atoi(told.out.c_str());
}

std::string SlurmCluster::fieldOf(int job, const std::string& name) const {
  const std::string shown = run({"scontrol", "show", "job", std::to_string(job)}).out, key = " " + name + "=";
  const auto at = shown.find(key);
  return at == std::string::npos
             ? ""
             : shown.substr(at + key.size(), shown.find_first_of(" \n", at + key.size()) - at - key.size());
}

std::string SlurmCluster::stateOf(int job) const { return fieldOf(job, "JobState"); }

bool SlurmCluster::ends(int job, int seconds) const {
  return eventually(seconds, [this, job] {
    const std::string state = stateOf(job);
    return state != "PENDING" && state != "RUNNING" && state != "COMPLETING" && state != "CONFIGURING";
  });
}

std::string SlurmCluster::logs() const {
  std::string text;
  for (const auto& entry : fs::directory_iterator(m_folder.path()))
    if (entry.path().extension() == ".out") text += entry.path().filename().string() + ":\n" + readAll(entry.path());
  return text;
}

}  // namespace roadtune::testing
