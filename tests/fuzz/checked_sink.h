// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording_reader.h"
#include "tests/fuzz/fuzz_file.h"

#include <utility>

namespace roadtune::fuzz {

// Takes what a reader delivers, and looks whether it is consistent.
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

// One file through a reader: it delivers, or says why not.
template <class Reader>
void readWhole(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  Checked sink;
  const auto status = Reader().read({.name = "fuzz", .split = {}, .files = {file.path()}, .base = "/nowhere"}, sink);
  if (!status.ok()) require(!status.error().what.empty());
}

}  // namespace roadtune::fuzz
