// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"
#include "core/data/index/segment_info.h"

#include <map>
#include <string>
#include <vector>

namespace roadtune::data {

// The titles (ImportUnit::title) of an index, each for one source. Several files called the same are told apart by the
// folders they lie in.
class UnitTitles {
 public:
  // Taken since an earlier import.
  void keep(const std::string& title, const std::vector<SourceFile>& sources) { m_owners.try_emplace(title, sources); }
  // The title of a new unit. A file that is there under another path, too, gets the title of the other.
  std::string give(const ImportUnit& unit, const std::vector<SourceFile>& sources);

 private:
  bool isFree(const std::string& title, const std::vector<SourceFile>& sources) const;
  std::map<std::string, std::vector<SourceFile>> m_owners;
};

// The same bytes, file for file.
bool sameContent(const std::vector<SourceFile>& a, const std::vector<SourceFile>& b);

}  // namespace roadtune::data
