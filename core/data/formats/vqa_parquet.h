// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace roadtune::data {

// One question about a picture. Everything lives during the call only.
struct VqaRow {
  std::uint64_t row = 0;                        // in the file, from 0
  std::span<const std::uint8_t> image;          // encoded; empty when only a path is stored
  std::string_view imagePath;                   // empty when not stored
  std::optional<std::string> question, answer;  // none where it is null, or neither text nor a number
};

// Reads the columns image (binary, or a struct of bytes and path, or a string path), question and
// multiple_choice_answer (or answer), whatever the codec and row groups. `visit` returns false to stop.
Status forEachVqaRow(const std::filesystem::path& file, const std::function<bool(const VqaRow&)>& visit);

// True when the footer shows the columns that forEachVqaRow needs.
Result<bool> isVqaParquet(const std::filesystem::path& file);
// What a file of questions lacks; nothing of one that has no question either.
Status checkVqaColumns(const std::filesystem::path& file);

}  // namespace roadtune::data
