// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>

namespace roadtune::testing {

// An index of drawn street scenes (three recordings of eight frames, five cameras), made with the real command line.
// The folder is this process's own copy and goes with it.
std::filesystem::path drawnIndex();

// The demo as `roadtune demo --prepare-only` makes it, with an index of its own recordings.
void prepareDemo(const std::filesystem::path& folder);

// What no test may change: the TFRecords behind the index, and a tiny model with its tokenizer.
std::filesystem::path drawnRecordings();
std::filesystem::path tinyModel();

}  // namespace roadtune::testing
