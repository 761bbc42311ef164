// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_readers.h"

#include "core/data/formats/parquet_recordings.h"

namespace roadtune::cli {

data::RecordingReaders dataReaders() { return data::allReaders(); }

}  // namespace roadtune::cli
