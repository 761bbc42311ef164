// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace roadtune::config {

// A setting came from here.
struct Origin {
  std::string where = {};  // the file as the user named it, or "--set learning_rate"
  int line = 0;            // from 1; 0 when `where` is not a file
  int column = 0;          // from 1, in characters
};

enum class Severity { Error, Warning };

// One thing that is wrong, or worth knowing, about a configuration.
struct Problem {
  int line = 0;
  int column = 0;
  std::string key = {};
  std::string message = {};
  std::string hint = {};
  std::string where = {};
  Severity severity = Severity::Error;

  // "FILE:LINE:COL: key: message (try: hint)"; without a position "--set key: message (try: hint)".
  std::string text() const;
};

bool hasErrors(const std::vector<Problem>& problems);

// One problem per line.
std::string toText(const std::vector<Problem>& problems);

}  // namespace roadtune::config
