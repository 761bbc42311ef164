// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace roadtune::testing {

enum class Victim { Studio, Cli, Agent, Rank0, Rank1, Disk };
enum class Blow { Kill, Freeze, Fill };
enum class Moment { Start, Step, Save, Finish };

const char* name(Victim victim);
const char* name(Blow blow);
const char* name(Moment moment);

// Who is hit by what, and when.
struct Cell {
  Victim victim;
  Blow blow;
  Moment moment;
};

// What is seen afterwards, in words that a table holds.
struct Outcome {
  std::string run;      // finished | stopped | failed: ...
  std::string left;     // "nothing" or what
  std::string resumed;  // "not needed", "exact: 60 of 60 steps", or what went wrong
  bool operator==(const Outcome&) const = default;
};

// What the design promises for a cell; `run` is the beginning of what must be seen.
Outcome expectedOf(const Cell& cell);

}  // namespace roadtune::testing
