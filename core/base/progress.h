// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace roadtune {

// How far a piece of work is. `total` is 0 while it is not known.
struct Progress {
  std::string stage;  // "indexing", "thumbnails"
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  std::string unit = "items";  // "bytes" is shown as sizes
  std::string detail = {};     // the file at hand
};

// Work calls report(); it returns false when the user asked to stop, and the work then ends with cancelled().
// Cheap: reports closer than 100 ms to the last one of the same stage are dropped, except the final one. Thread-safe.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual bool report(const Progress& progress) = 0;
};

enum class ProgressStyle { None, Bar, Json };

// "json" | "bar" | "none" | "" (bar on a terminal, else none). Lines go to stderr. JSON is one object per line:
// {"stage","done","total","unit","rate","eta","detail"}. Stops when `stopRequested` answers true.
Result<ProgressStyle> parseProgressStyle(const std::string& name);
std::unique_ptr<ProgressSink> makeProgressSink(ProgressStyle style, std::function<bool()> stopRequested = {});

// True for a terminal that wants colours: a TTY, NO_COLOR unset, TERM not "dumb".
bool wantsColour(int fd);

// Installs SIGINT/SIGTERM handlers that only raise a flag; count() says how often the user asked.
class Interrupt {
 public:
  static void install();
  // SIGHUP as well, unless it is ignored (nohup): a closed terminal, a group that has lost its parents.
  static void installForHangUp();
  static int count();
  static bool requested() { return count() > 0; }
};

}  // namespace roadtune
