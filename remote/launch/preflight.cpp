// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/preflight.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/launch/same_machine.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace roadtune::remote {

using nlohmann::json;

std::string_view verdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::Fine: return "ok";
    case Verdict::Doubtful: return "warn";
    case Verdict::Bad: return "bad";
    case Verdict::Unknown: return "unknown";
  }
  return "unknown";
}

bool HostReport::usable() const {
  return std::none_of(checks.begin(), checks.end(), [](const Check& check) { return check.verdict == Verdict::Bad; });
}

namespace {

using HostsByValue = std::map<std::string, std::vector<std::string>>;

double numberAt(const json& facts, const char* key, double fallback = std::nan("")) {
  const auto found = facts.find(key);
  return found != facts.end() && found->is_number() ? found->get<double>() : fallback;
}

std::string textAt(const json& facts, const char* key) {
  const auto found = facts.find(key);
  return found != facts.end() && found->is_string() ? found->get<std::string>() : "";
}

Check judgeProcessor(const json& facts) {
  const auto features = facts.value("cpu_features", std::vector<std::string>{});
  Check check{
      "cpu", Verdict::Fine, fmt::format("{:.0f} threads, {}", numberAt(facts, "cpus", 0), textAt(facts, "cpu")), {}};
  if (std::find(features.begin(), features.end(), "avx2") == features.end()) {
    check.verdict = Verdict::Doubtful;
    check.value += ", without AVX2";
    check.fix = "arithmetic on this processor will be slow";
  }
  return check;
}

Check judgeMemory(const json& facts, const PreflightLimits& limits) {
  const double available = numberAt(facts, "mem_available");
  Check check{"memory",
              Verdict::Fine,
              formatBytes(available) + " of " + formatBytes(numberAt(facts, "mem_total", 0)) + " available",
              {}};
  if (std::isnan(available)) return {"memory", Verdict::Unknown, "not told", {}};
  if (available < limits.freeMemory) {
    check.verdict = Verdict::Bad;
    check.fix = "end other programs: at least " + formatBytes(limits.freeMemory) + " are needed";
  }
  return check;
}

Check judgeDisk(const json& facts, const PreflightLimits& limits) {
  const json disk = facts.value("disk", json::object());
  const double available = numberAt(disk, "free"), speed = numberAt(disk, "write_bps"),
               inodes = numberAt(disk, "inodes_free");
  const std::string path = textAt(disk, "path"), error = textAt(disk, "error");
  Check check{"disk", Verdict::Fine, fmt::format("{} free at {}", formatBytes(available), path), {}};
  if (std::isfinite(speed)) check.value += ", writes " + formatBytes(speed) + "/s";
  if (!error.empty()) {
    check.verdict = Verdict::Bad;
    check.value += ", cannot write: " + error;
    check.fix = "make that folder writable, or choose another output_dir";
  } else if (limits.checkpoints > 0 && available < limits.checkpointBytes * limits.checkpoints) {
    check.verdict = Verdict::Bad;
    check.value +=
        fmt::format(", too little for {} checkpoints of {}", limits.checkpoints, formatBytes(limits.checkpointBytes));
    check.fix = "free space, a larger disk for that folder, a smaller save_total_limit, or save_only_model: true";
  } else if (available < limits.freeDisk) {
    check.verdict = available < limits.freeDisk / 10 ? Verdict::Bad : Verdict::Doubtful;
    check.fix = "free space, or set save_total_limit: checkpoints need room";
  } else if (std::isfinite(inodes) && inodes < 1000) {
    check.verdict = Verdict::Bad;
    check.value += fmt::format(", {:.0f} inodes left", inodes);
    check.fix = "remove small files: the file system has no room for more names";
  } else if (std::isfinite(speed) && speed < limits.slowDisk) {
    check.verdict = Verdict::Doubtful;
    check.fix = "checkpoints will be slow; a local disk for that folder helps";
  }
  return check;
}

Check judgeShared(const json& facts, const PreflightLimits& limits) {
  const double available = numberAt(facts, "shm_free");
  if (std::isnan(available)) return {"shm", Verdict::Doubtful, "/dev/shm is not there", "mount a tmpfs at /dev/shm"};
  Check check{"shm", Verdict::Fine, formatBytes(available) + " free in /dev/shm", {}};
  if (available < limits.freeShared) {
    check.verdict = Verdict::Doubtful;
    check.fix = "in a container: --shm-size=1g; NCCL needs it";
  }
  return check;
}

Check judgeLimits(const json& facts, const PreflightLimits& limits) {
  const double files = numberAt(facts, "nofile");
  if (std::isnan(files)) return {"limits", Verdict::Unknown, "not told", {}};
  Check check{"limits",
              Verdict::Fine,
              files > 1e9 ? "open files unlimited" : formatCount(std::llround(files)) + " open files",
              {}};
  if (files < limits.openFiles) {
    check.verdict = Verdict::Doubtful;
    check.fix = fmt::format("ulimit -n {}", limits.openFiles * 4);
  }
  return check;
}

Check judgeCards(const json& facts, const PreflightLimits& limits) {
  const json cards = facts.value("gpus", json::array());
  if (cards.empty())
    return {"gpu", limits.needGpu ? Verdict::Bad : Verdict::Fine, "none: training runs on the processor",
            limits.needGpu ? "install the NVIDIA driver" : ""};
  Check check{"gpu", Verdict::Fine, "", {}};
  std::vector<std::string> words;
  for (const auto& card : cards) {
    const double total = numberAt(card, "mem_total", 0), used = numberAt(card, "mem_used", 0);
    std::string text = fmt::format("{} {}: {} of {} free", numberAt(card, "index", 0), textAt(card, "name"),
                                   formatBytes(total - used), formatBytes(total));
    if (const double others = numberAt(card, "processes", 0); others > 0) {
      check.verdict = Verdict::Doubtful;
      text += ", " + counted(others, "other process", "other processes");
      check.fix = "other programs compute on a card: end them, or choose cards with gpus:";
    }
    if (numberAt(card, "ecc_uncorrected", 0) > 0) {
      check.verdict = Verdict::Bad;
      text += ", uncorrected memory errors";
      check.fix = "reset the card or leave it out with gpus:";
    }
    words.push_back(std::move(text));
  }
  check.value = join(words, "; ");
  return check;
}

Check judgeDriver(const json& facts) {
  const std::string driver = textAt(facts, "driver"), cuda = textAt(facts, "cuda");
  if (driver.empty()) return {"driver", Verdict::Fine, "none", {}};
  Check check{"driver", Verdict::Fine, fmt::format("{} (CUDA {})", driver, cuda), {}};
  if (!cuda.empty() && std::atof(cuda.c_str()) < 13.0) {
    check.verdict = Verdict::Bad;
    check.fix = "driver 580 or later: this build computes with CUDA 13";
  }
  return check;
}

std::string ncclOf(const json& facts) {
  const auto found = facts.find("nccl");
  return found != facts.end() && found->is_object() ? textAt(*found, "version") : "";
}

// How graphics cards speak to each other; machines without cards do not need it.
Check judgeNccl(const json& facts) {
  Check check{"nccl", Verdict::Fine, ncclOf(facts), {}};
  if (!check.value.empty()) return check;
  check.value = "none: " + textAt(facts.at("nccl"), "error");
  if (!facts.value("gpus", json::array()).empty()) {
    check.verdict = Verdict::Doubtful;
    check.fix = "pip install nvidia-nccl-cu13 beside torch, or train with ddp_backend: gloo";
  }
  return check;
}

Check judgeSystem(const json& facts) {
  const std::string version = textAt(facts, "glibc");
  Check check{"system",
              Verdict::Fine,
              fmt::format("{}, kernel {}, glibc {}", textAt(facts, "os"), textAt(facts, "kernel"), version),
              {}};
  const auto parts = split(version, '.');
  if (parts.size() >= 2 && std::atoi(parts[0].c_str()) * 1000 + std::atoi(parts[1].c_str()) < 2036) {
    check.verdict = Verdict::Bad;
    check.fix = "Debian 12, Ubuntu 24.04 or later: programs of this build need glibc 2.36";
  }
  return check;
}

Check judgeClock(double offset, const PreflightLimits& limits) {
  Check check{"clock", Verdict::Fine, fmt::format("{:+.0f} ms from here", offset * 1000), {}};
  if (std::fabs(offset) > limits.clockOffset) {
    check.verdict = Verdict::Doubtful;
    check.fix = "let chrony or systemd-timesyncd set the clock";
  }
  return check;
}

}  // namespace

std::vector<Check> judgeMachine(const json& facts, const PreflightLimits& limits, std::optional<double> clockOffset) {
  std::vector<Check> checks{judgeSystem(facts),       judgeProcessor(facts),      judgeMemory(facts, limits),
                            judgeDisk(facts, limits), judgeShared(facts, limits), judgeLimits(facts, limits),
                            judgeDriver(facts),       judgeCards(facts, limits)};
  if (facts.contains("nccl")) checks.push_back(judgeNccl(facts));
  if (clockOffset) checks.push_back(judgeClock(*clockOffset, limits));
  return checks;
}

namespace {

std::string spread(const HostsByValue& hostsByValue) {
  std::vector<std::string> words;
  for (const auto& [value, hosts] : hostsByValue)
    words.push_back((value.empty() ? "none" : value) + (hostsByValue.size() > 1 ? " on " + join(hosts, ", ") : ""));
  return join(words, "; ");
}

// Ranks with different releases of NCCL do not find together. Machines where torch is still to come get the right one.
std::vector<Check> judgeSameNccl(const std::vector<std::pair<std::string, json>>& factsByHost) {
  HostsByValue hostsByVersion;
  bool cards = false;
  for (const auto& [host, facts] : factsByHost) {
    if (const std::string version = ncclOf(facts); !version.empty()) hostsByVersion[version].push_back(host);
    cards |= !facts.value("gpus", json::array()).empty();
  }
  if (hostsByVersion.empty()) return {};
  Check check{"same nccl", Verdict::Fine, spread(hostsByVersion), {}};
  if (hostsByVersion.size() == 1) return {check};
  auto usual = hostsByVersion.begin();
  for (auto one = usual; one != hostsByVersion.end(); ++one)
    if (one->second.size() >= usual->second.size()) usual = one;
  std::vector<std::string> others;
  for (const auto& [version, hosts] : hostsByVersion)
    if (version != usual->first) others.insert(others.end(), hosts.begin(), hosts.end());
  check.verdict = cards ? Verdict::Bad : Verdict::Doubtful;
  check.fix = fmt::format("on {}: pip install nvidia-nccl-cu13=={} beside torch", join(others, ", "), usual->first);
  return {check};
}

}  // namespace

std::vector<Check> judgeAgreement(const std::vector<std::pair<std::string, json>>& factsByHost) {
  std::vector<Check> checks;
  if (factsByHost.size() < 2) return checks;
  std::vector<std::pair<std::string, std::string>> marks;
  for (const auto& [host, facts] : factsByHost) marks.emplace_back(host, facts.value("mark", ""));
  if (const auto both = namedTwice(marks))
    checks.push_back({"machines", Verdict::Bad,
                      fmt::format("{} and {} are the same machine", both->first, both->second),
                      "name each machine once; more ranks to a machine give it more"});
  for (const char* key : {"driver", "cuda", "glibc"}) {
    HostsByValue hostsByValue;
    for (const auto& [host, facts] : factsByHost) hostsByValue[textAt(facts, key)].push_back(host);
    Check check{std::string("same ") + key, Verdict::Fine, spread(hostsByValue), {}};
    if (hostsByValue.size() > 1) {
      // Machines may differ in their C library; a different driver under one job ends in a hang.
      check.verdict = std::string(key) == "glibc" ? Verdict::Fine : Verdict::Bad;
      if (check.verdict == Verdict::Bad) check.fix = "install the same driver on every machine";
    }
    checks.push_back(std::move(check));
  }
  const auto nccl = judgeSameNccl(factsByHost);
  checks.insert(checks.end(), nccl.begin(), nccl.end());
  return checks;
}

}  // namespace roadtune::remote
