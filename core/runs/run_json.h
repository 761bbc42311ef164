// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/comparison.h"
#include "core/runs/diagnosis.h"
#include "core/runs/run_catalogue.h"
#include "core/runs/run_store.h"

#include <string>
#include <vector>

namespace roadtune::runs {

// JSON for machines, indented, with a newline at the end. Absent facts are null; numbers that are not finite are the
// texts "nan", "inf", "-inf", as in event files. Times are seconds since 1970.
std::string toJson(const std::vector<RunEntry>& runs);  // a list
std::string toJson(const RunStore& store);              // all about a run but its points
std::string toJsonWithSeries(const RunStore& store);    // the same and "series": {metric: {steps, times, values}}
std::string toJson(const RunStore& a, const RunStore& b, const Comparison& comparison);
std::string toJson(const RunStore& store, const Diagnosis& diagnosis);

}  // namespace roadtune::runs
