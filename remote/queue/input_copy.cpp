// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/queue/input_copy.h"

#include "core/base/units.h"
#include "remote/launch/run_inputs.h"

#include <fmt/format.h>

namespace roadtune::remote {

InputCopy::InputCopy(config::RunConfig config, std::vector<std::string> hosts, Prompts prompts)
    : m_text("comparing model and data"),
      m_thread([this, config = std::move(config), hosts = std::move(hosts), prompts = std::move(prompts)] {
        Status status = copy(config, hosts, prompts);
        const std::scoped_lock lock(m_mutex);
        m_outcome = std::move(status);
      }) {}

InputCopy::~InputCopy() {
  m_stopped = true;
  m_thread.join();
}

std::optional<Status> InputCopy::outcome() const {
  const std::scoped_lock lock(m_mutex);
  return m_outcome;
}

std::string InputCopy::text() const {
  const std::scoped_lock lock(m_mutex);
  return m_text;
}

bool InputCopy::report(const Progress& progress) {
  if (progress.unit == "bytes" && progress.total > 0) {
    const std::scoped_lock lock(m_mutex);
    m_text = fmt::format("copying model and data: {} of {}", formatBytes(static_cast<double>(progress.done)),
                         formatBytes(static_cast<double>(progress.total)));
  }
  return !m_stopped;
}

Status InputCopy::copy(const config::RunConfig& config, const std::vector<std::string>& hosts, const Prompts& prompts) {
  ROADTUNE_TRY(const HostAccess access, HostAccess::load(prompts));
  ROADTUNE_TRY(const auto groups, runInputs(config));
  ROADTUNE_TRY(const auto inputs, inputsOn(hosts, groups, access, this));
  return copyInputs(inputs, groups, access, this);
}

}  // namespace roadtune::remote
