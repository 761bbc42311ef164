// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/error.h"

namespace roadtune {

// What every program of the studio says when it ends.
enum ExitCode : int {
  kExitDone = 0,
  kExitFailed = 1,         // the work failed
  kExitBadInput = 2,       // bad usage or input
  kExitMissing = 3,        // the machine lacks something
  kExitInterrupted = 130,  // stopped by the user
};

constexpr int exitCode(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Failed: return kExitFailed;
    case ErrorKind::BadInput: return kExitBadInput;
    case ErrorKind::Missing: return kExitMissing;
    case ErrorKind::Cancelled: return kExitInterrupted;
  }
  return kExitFailed;
}

}  // namespace roadtune
