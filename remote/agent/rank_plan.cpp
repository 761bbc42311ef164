// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/rank_plan.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/unique_fd.h"
#include "remote/agent/process_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>

namespace roadtune::remote {

namespace {

int usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

sockaddr_in anyAddress(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

// The inodes of sockets listening on a port, as /proc/net/tcp and tcp6 list them.
std::vector<std::string> listeningInodes(int port) {
  std::vector<std::string> inodes;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    const auto content = readFile(table);
    if (!content.ok()) continue;
    for (const auto& line : split(content.value(), '\n')) {
      unsigned local = 0, state = 0;
      unsigned long long inode = 0;
      if (std::sscanf(line.c_str(), " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*x:%*x %*x:%*x %*x %*u %*d %llu",
                      &local, &state, &inode) == 3 &&
          local == static_cast<unsigned>(port) && state == 0x0A)
        inodes.push_back(fmt::format("socket:[{}]", inode));
    }
  }
  return inodes;
}

std::string holderOf(int port) {
  const auto inodes = listeningInodes(port);
  if (inodes.empty()) return {};
  for (const auto& process : allProcesses()) {
    std::error_code ignored;
    for (const auto& item : fs::directory_iterator(fmt::format("/proc/{}/fd", process.id.pid), ignored)) {
      const std::string target = fs::read_symlink(item.path(), ignored).string();
      if (std::find(inodes.begin(), inodes.end(), target) != inodes.end())
        return fmt::format(" by process {} ({})", process.id.pid, commandLineOf(process.id.pid).substr(0, 60));
    }
  }
  return {};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> rankEnvironment(const RankPlan& plan, int localRank) {
  std::vector<std::pair<std::string, std::string>> variables{
      {"RANK", std::to_string(plan.firstRank + localRank)},
      {"LOCAL_RANK", std::to_string(localRank)},
      {"WORLD_SIZE", std::to_string(plan.worldSize)},
      {"LOCAL_WORLD_SIZE", std::to_string(plan.processes)},
      {"NODE_RANK", std::to_string(plan.node)},
      {"GROUP_RANK", std::to_string(plan.node)},
      {"NNODES", std::to_string(plan.nodes)},
      {"MASTER_ADDR", plan.masterAddress},
      {"MASTER_PORT", std::to_string(plan.masterPort)},
  };
  if (!std::getenv("OMP_NUM_THREADS"))
    variables.emplace_back("OMP_NUM_THREADS", std::to_string(std::max(1, usableCores() / plan.processes)));
  // Threads that spin at a barrier waste the core the last of them is waiting for whenever anything else runs here:
  // on two busy cores a step took seven times as long.
  if (!std::getenv("OMP_WAIT_POLICY")) variables.emplace_back("OMP_WAIT_POLICY", "PASSIVE");
  return variables;
}

Result<int> findFreePort() {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = anyAddress(0);
  socklen_t size = sizeof address;
  if (!fd.valid() || ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return systemError("cannot find a free port for the ranks to meet");
  return ntohs(address.sin_port);
}

Status checkPortFree(int port) {
  if (port < 1 || port > 65535) return badInput(fmt::format("{} is not a port", port), "master_port", "1 to 65535");
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = anyAddress(port);
  if (fd.valid() && ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(fd.get(), 1) == 0)
    return {};
  if (errno == EACCES) return missing(fmt::format("port {} needs privileges", port), "master_port", "one above 1023");
  return missing(fmt::format("port {} is in use{}", port, holderOf(port)), "master_port",
                 "another master_port, or leave it out: a free one is then chosen");
}

}  // namespace roadtune::remote
