// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"

namespace roadtune::cli {

// Every format that `data index` knows, in the order in which they claim files.
data::RecordingReaders dataReaders();

}  // namespace roadtune::cli
