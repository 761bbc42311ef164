// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"
#include "core/engine/loop/run_state.h"
#include "core/engine/optim/adamw.h"

#include <string>

namespace roadtune::engine {

// What makes a checkpoint exact: resume.safetensors holds both moments of every trained tensor by its canonical name,
// and its float32 value where the weights file holds fewer bits; resume.json holds the run's state.
Status writeResume(const AdamW& optimizer, const RunState& state, const std::string& configHash,
                   const fs::path& folder);

// The reverse, after the weights were read. The trained tensors must be the same ones.
Status readResumeTensors(AdamW& optimizer, const fs::path& folder);
Result<RunState> readResumeState(const fs::path& folder);

}  // namespace roadtune::engine
