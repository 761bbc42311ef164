// SPDX-License-Identifier: GPL-3.0-or-later
// COCO files as they come: what is delivered is consistent, everything else becomes a problem with a name.
#include "core/data/index/coco_recordings.h"
#include "tests/fuzz/checked_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  roadtune::fuzz::readWhole<roadtune::data::CocoRecordings>(data, size);
  return 0;
}
