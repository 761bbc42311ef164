// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/image_losses.h"
#include "core/data/query/query.h"
#include "core/data/query/query_plan.h"

#include <map>
#include <string>
#include <vector>

namespace roadtune::data {

// A run as a query names it, and where.
struct NamedRun {
  std::string name;
  Place place;
};

// The one of the order first, then those of the conditions.
std::vector<NamedRun> runsOf(const QueryPlan& plan);

// The losses of the runs that queries ask for, read once and again where a run has gone on.
class RunLosses {
 public:
  void setRuns(std::map<std::string, std::filesystem::path> runs) { m_runs = std::move(runs); }

  // False, with the place, for a run that nobody knows or that kept no losses. `changed`: other numbers than before.
  bool prepare(const Index& index, const QueryPlan& plan, QueryError& error, bool& changed);
  std::shared_ptr<const ImageLosses> of(const std::string& run) const;  // prepared; else null

 private:
  struct Known {
    std::string stamp;
    std::shared_ptr<const ImageLosses> losses;
  };
  std::filesystem::path folderOf(const std::string& run) const;
  bool refuse(const NamedRun& run, const Error& why, QueryError& error) const;
  std::map<std::string, std::filesystem::path> m_runs;
  std::map<std::string, Known> m_known;  // by the folder
};

}  // namespace roadtune::data
