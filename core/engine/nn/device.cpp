// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/device.h"

#include "core/base/text.h"
#include "core/engine/cuda/plugin.h"

#include <ATen/Context.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace roadtune::engine {
namespace {

Result<int> numberOf(const std::string& name) {
  int number = 0;
  const auto* end = name.data() + name.size();
  const auto [last, code] = std::from_chars(name.data() + 5, end, number);
  if (code != std::errc() || last != end || number < 0)
    return badInput("unknown device '" + name + "'", "device", "use cpu, cuda or cuda:N");
  return number;
}

Result<int> gpuOfRank(int localRank, const std::vector<std::int64_t>& gpus) {
  if (gpus.empty()) return localRank;
  if (static_cast<std::size_t>(localRank) >= gpus.size())
    return badInput("lists " + std::to_string(gpus.size()) + " GPUs, but there are more ranks on this machine", "gpus",
                    "list one per rank, or start fewer ranks");
  return static_cast<int>(gpus[static_cast<std::size_t>(localRank)]);
}

Result<at::Device> onGpu(int number) {
  ROADTUNE_TRY([[maybe_unused]] const auto* plugin, cuda::startDevice(number));
  return at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(number));
}

}  // namespace

Result<at::Device> openDevice(const std::string& name, int localRank, const std::vector<std::int64_t>& gpus) {
  if (name.empty() || name == "cpu") return at::Device(at::kCPU);
  if (startsWith(name, "cuda:")) {
    ROADTUNE_TRY(const int number, numberOf(name));
    return onGpu(number);
  }
  if (name != "cuda" && name != "auto")
    return badInput("unknown device '" + name + "'", "device", "use cpu, cuda, cuda:N or auto");
  if (name == "auto" && !cuda::driverInstalled()) return at::Device(at::kCPU);
  ROADTUNE_TRY(const int number, gpuOfRank(localRank, gpus));
  auto device = onGpu(number);
  if (device.ok() || name == "cuda") return device;
  std::fprintf(stderr, "computing on the CPU: %s\n", device.error().text().c_str());
  return at::Device(at::kCPU);
}

void useDeterministicKernels() {
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  auto& context = at::globalContext();
  context.setDeterministicAlgorithms(true, /*warn_only=*/true);
  context.setDeterministicFillUninitializedMemory(false);  // nobody reads what nobody wrote
}

namespace {

void onlyWarn(bool warn) {
  auto& context = at::globalContext();
  if (context.deterministicAlgorithms()) context.setDeterministicAlgorithms(true, warn);
}

}  // namespace

OnlyDeterministic::OnlyDeterministic() { onlyWarn(false); }
OnlyDeterministic::~OnlyDeterministic() { onlyWarn(true); }

std::optional<GpuMeans> gpuInUse() {
  const auto* plugin = cuda::activePlugin();
  cuda::DeviceFacts facts{};
  std::array<char, 256> words{};
  if (!plugin || !plugin->describe(cuda::activeIndex(), facts, words.data(), words.size())) return {};
  return GpuMeans{static_cast<const char*>(facts.name), static_cast<double>(facts.totalBytes)};
}

}  // namespace roadtune::engine
