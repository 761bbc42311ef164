// SPDX-License-Identifier: GPL-3.0-or-later
// The walk over protocol buffers, as one Waymo frame: pictures lie inside the payload, and nested messages end
// somewhere.
#include "core/data/records/waymo_v1_reader.h"
#include "tests/fuzz/fuzz_file.h"

using namespace roadtune;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t kStart = 12;
  const auto frame = data::readWaymoFrame({data, size}, kStart);
  if (!frame.ok()) return 0;
  for (const data::WaymoImage& image : frame.value().images)
    fuzz::require(image.size == 0 || (image.offset >= kStart && image.offset + image.size <= kStart + size));
  fuzz::require(frame.value().lidarBytes <= size && frame.value().lidarEnd <= kStart + size);
  return 0;
}
