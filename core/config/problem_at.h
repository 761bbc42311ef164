// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/problem.h"
#include "core/config/run_config.h"

#include <string>

namespace roadtune::config {

// An error about a setting, at the place where that setting was given.
inline Problem problemAt(const RunConfig& config, const std::string& key, const Error& error,
                         Severity severity = Severity::Error) {
  const Origin origin = config.origin(key);
  return {.line = origin.line,
          .column = origin.column,
          .key = key,
          .message = error.what,
          .hint = error.hint,
          .where = origin.where,
          .severity = severity};
}

}  // namespace roadtune::config
