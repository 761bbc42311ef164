// SPDX-License-Identifier: GPL-3.0-or-later
// The only source that sees the profiler.
#include "core/engine/loop/step_profile.h"

#include "core/base/files.h"
#include "core/engine/cuda/plugin.h"

#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <set>

namespace roadtune::engine {
namespace {

constexpr int kLeftOut = 3;

std::set<torch::profiler::impl::ActivityType> activities() {
  using torch::profiler::impl::ActivityType;
  if (cuda::activePlugin()) return {ActivityType::CPU, ActivityType::CUDA};
  return {ActivityType::CPU};
}

// What was launched before is still on its way.
void waitForDevice() {
  if (cuda::activePlugin())
    c10::impl::VirtualGuardImpl(c10::kCUDA).synchronizeDevice(static_cast<c10::DeviceIndex>(cuda::activeIndex()));
}

}  // namespace

void StepProfile::beginStep() {
  using namespace torch::profiler::impl;
  if (m_recording || m_steps == 0 || m_seen++ < kLeftOut) return;
  waitForDevice();
  const ProfilerConfig config(ProfilerState::KINETO, /*report_input_shapes=*/true);
  torch::autograd::profiler::prepareProfiler(config, activities());
  torch::autograd::profiler::enableProfiler(config, activities(),
                                            {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION});
  m_recording = true;
}

Status StepProfile::endStep() {
  if (!m_recording || --m_steps > 0) return {};
  m_recording = false;
  waitForDevice();
  const auto result = torch::autograd::profiler::disableProfiler();
  ROADTUNE_CHECK(makeFolders(m_file.parent_path()));
  result->save(m_file.string());
  return {};
}

}  // namespace roadtune::engine
