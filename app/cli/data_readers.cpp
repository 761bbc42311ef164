// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_readers.h"

namespace roadtune::cli {

data::RecordingReaders dataReaders() { return data::basicReaders(); }

}  // namespace roadtune::cli
