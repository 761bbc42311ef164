// SPDX-License-Identifier: GPL-3.0-or-later
// A driver's management library with two cards, one talkative and one that refuses most questions. FAKE_NVML chooses:
// "" (both), "no-driver" (initialisation fails), "no-cards", "no-counters" (their use by this program is refused).
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace {

bool mode(const char* word) {
  const char* text = std::getenv("FAKE_NVML");
  return text && std::strcmp(text, word) == 0;
}

constexpr int kSuccess = 0, kUninitialised = 1, kInvalidArgument = 2, kNotSupported = 3, kNoPermission = 4,
              kDriverNotLoaded = 9;
int cards[2] = {0, 1};
bool ready = false;

int indexOf(void* device) { return *static_cast<int*>(device); }

struct Rates {
  unsigned gpu, memory;
};
struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct GpmSupport {
  unsigned version, supported;
};
struct GpmMetric {
  unsigned id;
  int result;
  double value;
  const char *shortName, *longName, *unit;
};
struct GpmRequest {
  unsigned version, count;
  void *before, *now;
  GpmMetric metrics[210];
};
struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned instance, part;
};
struct MemoryV1 {
  unsigned long long total, free, used;
};

}  // namespace

extern "C" {

int nvmlInit_v2() {
  if (mode("no-driver")) return kDriverNotLoaded;
  ready = true;
  return kSuccess;
}
int nvmlShutdown() {
  ready = false;
  return kSuccess;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  if (!ready) return kUninitialised;
  *count = mode("no-cards") ? 0 : 2;
  return kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = &cards[index];
  return kSuccess;
}
int nvmlDeviceGetName(void* device, char* name, unsigned size) {
  std::strncpy(name, indexOf(device) == 0 ? "Imaginary GPU 80GB" : "Secretive GPU", size - 1);
  return kSuccess;
}
int nvmlDeviceGetUUID(void* device, char* text, unsigned size) {
  std::strncpy(text, indexOf(device) == 0 ? "GPU-0000" : "GPU-0001", size - 1);
  return kSuccess;
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::strncpy(text, "580.65.06", size - 1);
  return kSuccess;
}
int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 13000;
  return kSuccess;
}
int nvmlDeviceGetUtilizationRates(void* device, Rates* rates) {
  if (indexOf(device) == 1) return kNotSupported;
  *rates = {87, 40};
  return kSuccess;
}
int nvmlDeviceGetMemoryInfo_v2(void* device, MemoryV2* memory) {
  if (indexOf(device) == 1) return kNotSupported;
  if (memory->version != (sizeof(MemoryV2) | (2U << 24))) return 25;  // argument version mismatch
  memory->total = 80'000'000'000ULL;
  memory->used = 20'000'000'000ULL;
  return kSuccess;
}
int nvmlDeviceGetMemoryInfo(void*, MemoryV1* memory) {
  *memory = {16'000'000'000ULL, 15'000'000'000ULL, 1'000'000'000ULL};
  return kSuccess;
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  static unsigned asked[2] = {};
  *milliwatts = 412'500 + 1000 * (asked[indexOf(device)]++ % 2);
  return indexOf(device) == 1 ? kNoPermission : kSuccess;
}
int nvmlDeviceGetTemperature(void* device, int, unsigned* celsius) {
  *celsius = 71;
  return indexOf(device) == 1 ? kNotSupported : kSuccess;
}
int nvmlDeviceGetClockInfo(void* device, int which, unsigned* megahertz) {
  *megahertz = which == 1 ? 1980 : 2619;
  return indexOf(device) == 1 ? kNotSupported : kSuccess;
}
// Only the older name of this question exists here.
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* mask) {
  *mask = 0x1 | 0x4 | 0x40;
  return indexOf(device) == 1 ? kNotSupported : kSuccess;
}
// On the first card: this very process, one that nobody here can see, and one whose memory is not told.
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, Process* list) {
  const unsigned room = *count, there = indexOf(device) == 0 ? 3 : 0;
  *count = there;
  if (there > 0 && (!list || room < there)) return 7;  // the array is too small, the count is right
  const Process all[3] = {{static_cast<unsigned>(getpid()), 12'000'000'000ULL, ~0U, ~0U},
                          {4'000'001, 7'000'000'000ULL, ~0U, ~0U},
                          {4'000'002, ~0ULL, ~0U, ~0U}};
  for (unsigned i = 0; i < there; ++i) list[i] = all[i];
  return kSuccess;
}

// Counters of parts: only the first card keeps them. A sample is the number of looks so far.
int nvmlGpmQueryDeviceSupport(void* device, GpmSupport* support) {
  if (support->version != 1) return kInvalidArgument;
  support->supported = indexOf(device) == 0;
  return kSuccess;
}
int nvmlGpmSampleAlloc(void** sample) {
  *sample = new int(0);
  return kSuccess;
}
int nvmlGpmSampleFree(void* sample) {
  delete static_cast<int*>(sample);
  return kSuccess;
}
int nvmlGpmSampleGet(void*, void* sample) {
  static int looks = 0;
  *static_cast<int*>(sample) = ++looks;
  return mode("no-counters") ? kNoPermission : kSuccess;
}
int nvmlGpmMetricsGet(GpmRequest* request) {
  if (request->version != 1 || *static_cast<int*>(request->before) >= *static_cast<int*>(request->now))
    return kInvalidArgument;
  for (unsigned i = 0; i < request->count; ++i) {
    GpmMetric& metric = request->metrics[i];
    metric.result = metric.id == 60 ? kNotSupported : kSuccess;  // no link to hear from
    metric.value = metric.id;
  }
  return kSuccess;
}

}  // extern "C"
