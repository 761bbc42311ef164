// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"
#include "core/runs/run_store.h"
#include "widgets/panels/runs/step_facts.h"

namespace roadtune::studio {

// Looks up what the run says about a step: the nearest logged one for its numbers, exactly that one for its samples.
// Reads files: not for the UI thread.
widgets::StepFactsPtr stepFactsOf(const runs::RunStore& store, std::int64_t step);

// A query that finds these samples ("segment/timestamp/CAMERA") in an index; empty when none is of that form.
QString queryOfSamples(const QStringList& samples);
QString queryOfImages(const data::Index& index, const std::vector<data::ImageId>& images);

}  // namespace roadtune::studio
