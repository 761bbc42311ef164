// SPDX-License-Identifier: GPL-3.0-or-later
// COCO files as they come: what is delivered is consistent, everything else becomes a problem with a name.
#include "core/data/index/coco_recordings.h"
#include "tests/fuzz/fuzz_file.h"

using namespace roadtune;
using fuzz::require;

namespace {

struct Checked : data::RecordingSink {
  bool advance(std::uint64_t) override { return true; }
  void problem(data::Problem found) override { require(!found.what.empty()); }
  Status announce(const std::string&, bool) override { return {}; }
  Result<std::uint64_t> storeBytes(std::span<const std::uint8_t>) override { return std::uint64_t{0}; }
  Status deliver(data::Recording recording) override {
    for (const auto& image : recording.images)
      for (const auto& box : image.boxes) require(box.type < recording.classes.size());
    return {};
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(data, size);
  Checked sink;
  const auto status =
      data::CocoRecordings().read({.name = "fuzz", .split = {}, .files = {file.path()}, .base = "/nowhere"}, sink);
  if (!status.ok()) require(!status.error().what.empty());
  return 0;
}
