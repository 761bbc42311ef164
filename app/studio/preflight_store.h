// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "widgets/panels/fleet/preflight_changes.h"

namespace roadtune::studio {

// The preflight checks of before in one file of the user's data folder, each change written whole; the oldest go when
// there are too many. Waits for the disk: not for the UI thread. Several studios may write: what one adds stays.
class PreflightStore {
 public:
  static constexpr std::size_t kMost = 100;

  explicit PreflightStore(fs::path file = defaultFile());
  static fs::path defaultFile();  // roadtune/preflight.json

  Result<widgets::PreflightRecords> load() const;
  Status add(const widgets::PreflightRecord& record) const;
  Status remove(double when) const;
  Status removeAll() const;

 private:
  template <class Change>
  Status change(const Change& change) const;
  fs::path m_file;
};

}  // namespace roadtune::studio
