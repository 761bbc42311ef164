// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/recording_reader.h"
#include "core/data/index/waymo_v1_recordings.h"

namespace roadtune::data {

RecordingReaders basicReaders() {
  RecordingReaders readers;
  readers.push_back(std::make_unique<WaymoV1Recordings>());
  return readers;
}

}  // namespace roadtune::data
