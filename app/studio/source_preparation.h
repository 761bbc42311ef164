// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/config/run_config.h"

#include <atomic>
#include <filesystem>
#include <memory>

namespace roadtune::studio {

// Brings the data of a run here, as `roadtune train` does before a start: fetches what lies in object storage, and
// imports recordings into indexes below the run's folder. Each source in a child process, so that a broken file cannot
// take the window down. Takes as long as that takes; cancelled, what was read stays.
Status prepareSources(const config::RunConfig& config, const std::filesystem::path& run, bool onHosts,
                      ProgressSink& progress);

// The same for a run that goes on here, whose start has done it: storage may have to be asked once more.
Status prepareToResume(const std::filesystem::path& run, ProgressSink& progress);

// Whether what failed waits for the licence of the Waymo data to be acknowledged.
bool asksForLicence(const Error& error);

// Tells another one of progress until it is ended from outside.
class EndableProgress : public ProgressSink {
 public:
  EndableProgress(ProgressSink* sink, std::shared_ptr<const std::atomic<bool>> ended)
      : m_sink(sink), m_ended(std::move(ended)) {}
  bool report(const Progress& progress) override { return (!m_sink || m_sink->report(progress)) && !*m_ended; }

 private:
  ProgressSink* m_sink;
  std::shared_ptr<const std::atomic<bool>> m_ended;
};

}  // namespace roadtune::studio
