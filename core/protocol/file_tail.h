// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"

#include <cstdint>

namespace roadtune::protocol {

// How an event file that is to be continued ends.
struct FileTail {
  std::uint64_t nextSeq = 0;  // one above the last event
  bool partial = false;       // the last line has no newline
};

// Reads the end of an open file; more only when the last lines are no events.
Result<FileTail> readTail(int fd, const fs::path& path);

}  // namespace roadtune::protocol
