// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>

namespace roadtune::testing {

// An index of drawn street scenes (three recordings of eight frames, five cameras), made once for the whole test program
// with the real command line. The folder is below /tmp and goes with the program.
std::filesystem::path drawnIndex();
std::filesystem::path drawnRecordings();  // the TFRecords it was made from

// A tiny model with its tokenizer.
std::filesystem::path tinyModel();

}  // namespace roadtune::testing
