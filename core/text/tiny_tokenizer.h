// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace roadtune::text {

struct TinyTokenizer {
  std::int64_t size = 0;     // ids 0 .. size-1 are in use
  std::int64_t imageId = 0;  // <image>, the last one
};

// Writes tokenizer.json, tokenizer_config.json and special_tokens_map.json of a small tokenizer that behaves like
// PaliGemma's: the same special ids 0..4, runs of newlines and of blanks as single tokens, bytes for what is unknown,
// 1024 <loc> and 128 <seg> tokens in a row, <image> last. The words of the driving tasks are single tokens. The bytes
// written are the same every time.
Result<TinyTokenizer> writeTinyTokenizer(const std::filesystem::path& folder);

}  // namespace roadtune::text
