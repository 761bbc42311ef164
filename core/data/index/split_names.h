// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>

namespace roadtune::data {

// "training", "validation" or "testing" from the names of the folders above the file ("train", "training_0003"),
// nearest first, else from the word its name begins with ("individual_files_" in front is ignored). Empty when neither
// says. `source` is what the user gave: the file itself, of which its own folder counts, or a folder above it, beyond
// which names say something else ("/home/me/test/waymo"). Both absolute.
std::string splitOfWaymoFile(const std::filesystem::path& file, const std::filesystem::path& source);

// The same for annotation files: "train/val.jsonl", "validation/labels/a.json", "instances_val2017.json",
// "train.jsonl". Of the folders, which are often named for other reasons, a short word counts only right above the
// file.
std::string splitOfAnnotationFile(const std::filesystem::path& file);

// What a word elsewhere in the name may mean ("road_test.jsonl"), where nobody says better.
std::string splitGuessOfAnnotationFile(const std::filesystem::path& file);

}  // namespace roadtune::data
