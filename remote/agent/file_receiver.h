// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace roadtune::remote {

// How many small files travel over one connection without an answer in between: for each one JSON line
//   {"path":"/data/a.jpg","size":56,"sha256":"...","modified":1767225600}
// followed by `size` bytes.
struct SentFile {
  std::string path;
  std::uint64_t size = 0;
  std::string sha256;
  std::int64_t modified = 0;  // seconds since 1970, kept over there
};

std::string sentFileHeader(const SentFile& file);  // with the newline

// Reads such files from `in` to its end. They are written aside, compared with their hashes a hundred at a time, and
// renamed; folders are made. An end in the middle of a file is an error; files of an unfinished hundred stay as they
// were. The hashes are sha256sum's, so that this program needs no library for them. What receivers that were killed
// left aside in these folders goes when nobody has written to it for so long.
Status receiveFiles(int in, std::chrono::seconds abandonedAfter = std::chrono::hours(24));

}  // namespace roadtune::remote
