// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace roadtune::runs {

// The framing of TensorBoard's files: length, masked CRC-32C of the length, bytes, masked CRC-32C of the bytes.
std::string frameRecord(std::string_view bytes);

enum class FrameState { Whole, Incomplete, Damaged };

struct Frame {
  FrameState state = FrameState::Incomplete;
  std::string_view bytes = {};  // of a whole one
  std::size_t size = 0;         // with its framing; of an incomplete one as far as known, else 0
};

// The record at the front of `data`.
Frame readFrame(std::string_view data);

}  // namespace roadtune::runs
