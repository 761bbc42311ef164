// SPDX-License-Identifier: GPL-3.0-or-later
// Annotations of Pascal VOC, and the XML below them.
#include "core/data/index/voc_recordings.h"
#include "tests/fuzz/checked_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  roadtune::fuzz::readWhole<roadtune::data::VocRecordings>(data, size);
  return 0;
}
