// SPDX-License-Identifier: GPL-3.0-or-later
#include "tally.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>

namespace fake_cuda {
namespace {

struct Sum {
  double times = 0, amount = 0;
};

// Written when the process ends, but not by its forks: one line of JSON per kind and name.
class Tally {
 public:
  ~Tally() { write(); }

  void write() {
    if (::getpid() != m_owner) return;
    const std::lock_guard<std::mutex> lock(m_mutex);
    const char* path = std::getenv("FAKE_CUDA_TALLY");
    std::FILE* file = path && *path ? std::fopen(path, "w") : nullptr;
    if (!file) return;
    for (const auto& [key, sum] : m_sums)
      std::fprintf(file, "{\"kind\":\"%s\",\"name\":\"%s\",\"times\":%.0f,\"amount\":%.0f}\n", key.first.c_str(),
                   key.second.c_str(), sum.times, sum.amount);
    std::fclose(file);
  }

  void add(const char* kind, const std::string& name, double amount) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    Sum& sum = m_sums[{kind, name}];
    sum.times += 1;
    sum.amount += amount;
  }

 private:
  const pid_t m_owner = ::getpid();
  std::mutex m_mutex;
  std::map<std::pair<std::string, std::string>, Sum> m_sums;
};

std::atomic<std::size_t> kernels{0};

Tally& tally() {
  static Tally one;
  return one;
}

}  // namespace

// A trainer leaves this way, past everybody's destructors.
extern "C" void _exit(int code) {
  tally().write();
  ::syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

void countKernel(const std::string& name, double threads) {
  ++kernels;
  tally().add("kernel", name, threads);
}

std::size_t kernelsSoFar() { return kernels; }

bool broken() {
  static const char* asked = std::getenv("FAKE_CUDA_BREAKS_AFTER");
  static const auto most = asked && *asked ? static_cast<std::size_t>(std::atoll(asked)) : SIZE_MAX;
  return kernels >= most;
}

void countProduct(double m, double n, double k, double batch) {
  char name[96];
  std::snprintf(name, sizeof name, "%.0f x %.0f x %.0f, %.0f", m, n, k, batch);
  tally().add("product", name, 2 * m * n * k * batch);
}

void countWait(const char* call, std::size_t behind) { tally().add("wait", call, static_cast<double>(behind)); }

void countCopy(const char* way, std::size_t bytes) { tally().add("copy", way, static_cast<double>(bytes)); }

}  // namespace fake_cuda
