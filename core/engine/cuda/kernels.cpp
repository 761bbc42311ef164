// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/kernels.h"

#include "core/engine/cuda/host_kernels.h"
#include "core/engine/cuda/plugin.h"

#include <c10/util/Exception.h>

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace roadtune::engine::cuda {
namespace {

bool asked(std::string_view word) {
  const char* value = std::getenv("ROADTUNE_KERNELS");
  return value && word == value;
}

bool kernelsOff() {
  static const bool off = asked("off");
  return off;
}

std::atomic<const KernelTable*>& hostSlot() {
  static std::atomic<const KernelTable*> kernels{asked("host") ? &hostKernels() : nullptr};
  return kernels;
}

}  // namespace

const KernelTable* kernelsOn(const at::Device& device) {
  if (device.is_cpu()) return hostSlot();
  const auto* plugin = activePlugin();
  return plugin && device.is_cuda() && !kernelsOff() ? plugin->kernels : nullptr;
}

const KernelTable* kernelsFor(const at::Tensor& x) {
  const bool known = x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16;
  return known ? kernelsOn(x.device()) : nullptr;
}

void useOnHost(const KernelTable* kernels) { hostSlot() = kernels; }

at::Device activeDevice(const at::Device& otherwise) {
  return activePlugin() && !kernelsOff() ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(activeIndex()))
                                         : otherwise;
}

Element elementOf(const at::Tensor& x) { return x.scalar_type() == at::kFloat ? Element::Float : Element::Bf16; }

void started(const KernelTable& kernels, int code, const char* what) {
  TORCH_CHECK(code == 0, "CUDA error: ", kernels.errorText(code), " (", what, ")");
}

}  // namespace roadtune::engine::cuda
