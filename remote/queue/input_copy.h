// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/config/run_config.h"
#include "remote/ssh/prompts.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace roadtune::remote {

// Model and data of a job on their way to its machines, on a thread of its own. Dropping it stops the copy; what has
// arrived stays, and the next one goes on from there.
class InputCopy : private ProgressSink {
 public:
  InputCopy(config::RunConfig config, std::vector<std::string> hosts, Prompts prompts);
  ~InputCopy() override;

  std::optional<Status> outcome() const;  // nothing while it goes on
  std::string text() const;               // "copying model and data: 1.2 GB of 5.8 GB"

 private:
  bool report(const Progress& progress) override;
  Status copy(const config::RunConfig& config, const std::vector<std::string>& hosts, const Prompts& prompts);

  mutable std::mutex m_mutex;  // of the two below
  std::optional<Status> m_outcome;
  std::string m_text;
  std::atomic<bool> m_stopped = false;
  std::jthread m_thread;
};

}  // namespace roadtune::remote
