// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace roadtune::cli {

// Is this not a run but a place that its checkpoints were copied to? A folder of this machine is one where its own
// run.yaml says that copies go there, or where the run is to go on elsewhere (`into`).
bool isMirrorPlace(const std::string& place, const std::string& into);

// Brings a copied run here: its configuration, manifest and events, and its newest complete checkpoint, or the one that
// `place` names. Every file of the checkpoint is compared with the hash that the trainer wrote down. `into` is the
// run's folder here; empty: its output_dir. A folder with another run is refused. Returns the folder.
Result<std::filesystem::path> bringMirroredRun(const std::string& place, const std::string& into,
                                               ProgressSink& progress);

}  // namespace roadtune::cli
