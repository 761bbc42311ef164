// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roadtune::runs {

// Bytes of one record of an event file, framing included (for the writer and for tests).
std::string tensorboardVersionRecord(double wallTime);
std::string tensorboardScalarRecord(double wallTime, std::int64_t step,
                                    const std::vector<std::pair<std::string, float>>& scalars);

// Writes scalars that TensorBoard opens. One writer per folder. Every add() reaches the kernel at once, so a live
// TensorBoard sees it on its next reload. After a resume TensorBoard follows the newest file of the folder only, so an
// existing file of ours is continued (a record cut short by a crash is cut off first).
class TensorboardWriter {
 public:
  // Creates the folder. `wallTime`, host and pid make the name of a new file.
  static Result<TensorboardWriter> open(const fs::path& folder, double wallTime);
  Status add(double wallTime, std::int64_t step, const std::vector<std::pair<std::string, float>>& scalars);
  const fs::path& path() const { return m_file.path(); }

 private:
  explicit TensorboardWriter(AppendFile file) : m_file(std::move(file)) {}
  AppendFile m_file;
};

}  // namespace roadtune::runs
