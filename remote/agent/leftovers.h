// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::remote {

// Every process of a run's node that still lives on this machine, by number and time of birth, each as one line;
// the agent included. Empty is the proof that nothing is left. In a copy of a run's folder the events name processes of
// the original: those are none of the copy's.
std::vector<std::string> leftovers(const std::filesystem::path& run, int node);

// The run that goes on elsewhere on this machine, where the folder is but a copy of it.
std::optional<std::filesystem::path> livingOriginal(const std::filesystem::path& run);

// Ends what is left: the ranks are asked first and killed after `grace` seconds, and so is an agent that hangs.
void endLeftovers(const std::filesystem::path& run, int node, double grace);

}  // namespace roadtune::remote
