// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/problem.h"
#include "core/config/run_config.h"
#include "core/data/source/sample_source.h"

#include <string>
#include <vector>

namespace roadtune::data {

// Classes of which nothing will be learnt, because none of the data knows them: a slip of the pen, mostly.
std::vector<Error> doubtsAboutClasses(const SampleSource& train);

// Why data of the setting that names it cannot be used: there is nothing in it, or nothing answers the query.
Error holdsNothing(const std::string& which, const char* setting, const std::string& query = {});

// Why an evaluation may tell less than it seems to: what it is made on is trained on as well, or the training data
// holds what is set apart for evaluation. Each names the setting and what would mend it. `eval` may be null. Looks for
// so many seconds, so that of very much data some may be missed.
std::vector<Error> doubtsAboutEvaluation(const SampleSource& train, const SampleSource* eval, double seconds);

// Why an evaluation of a configuration may tell less, as warnings beside what else is told of it, and as errors why its
// data cannot be used; nothing where opening it takes a while.
std::vector<config::Problem> dataDoubts(const config::RunConfig& config, double seconds);

}  // namespace roadtune::data
