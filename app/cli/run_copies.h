// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/depot.h"
#include "core/base/progress.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/run_layout.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace roadtune::cli {

// Copies the complete checkpoints of a run to a place, COMPLETE last, with what is needed to go on there: run.yaml,
// manifest.json and the events. Files are linked aside first, so that the trainer may remove its checkpoint meanwhile.
// What was copied before a failure is not copied again by the same object.
class RunCopies {
 public:
  RunCopies(protocol::RunLayout run, std::string target, protocol::EventWriter& events, ProgressSink& progress);

  Status copyNew();  // every complete checkpoint that is not there yet, the oldest first
  Status copyEnd();  // the events and the summary as they are now
  std::size_t count() const { return m_copied.size(); }
  bool ownsRun() const;  // false when another run has taken the folder

 private:
  Status connect();
  Status copyFacts();
  Status copy(const protocol::CheckpointFolder& checkpoint);
  Status copyFiles(const protocol::CheckpointFolder& checkpoint, const std::filesystem::path& aside);
  Status put(const std::filesystem::path& file, const std::string& name);

  protocol::RunLayout m_run;
  std::string m_target, m_runId;
  protocol::EventWriter& m_events;
  ProgressSink& m_progress;
  std::unique_ptr<Depot> m_depot;
  std::map<std::int64_t, std::string> m_copied;  // step -> its COMPLETE
  std::set<std::string> m_sent;                  // files of the checkpoint at hand
  std::int64_t m_at = -1;
};

}  // namespace roadtune::cli
