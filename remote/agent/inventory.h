// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace roadtune::remote {

// What a file holds, quickly told: its size, and pieces of its beginning, middle and end. Equal samples mean equal
// files but for a change between the pieces that keeps the size. Empty when it cannot be read.
std::string contentSample(const std::string& path);

// What of a run's inputs this machine has, under their own paths and below a folder of copies:
//   {"below": "~/.roadtune/inputs", "groups": [{"root": PATH, "files": [[PATH, BYTES, SECONDS], ...]}]}
// SECONDS is the time of the last change where the files come from. The answer keeps the order:
//   {"below": FOLDER, "groups": [{"same": PLACE, "below": PLACE}]}
// PLACE: {"exists": of the root, "writable": every file could be put there, "device": N, "free": BYTES,
//         "files": [null: absent, true: size and time agree, false: another size, "SAMPLE": the sizes agree]}
nlohmann::json takeInventory(const nlohmann::json& question);

}  // namespace roadtune::remote
