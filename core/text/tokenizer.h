// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::text {

using TokenIds = std::vector<std::int64_t>;

// Ids that the prompt layout needs.
struct SpecialIds {
  std::int64_t pad = 0, eos = 1, bos = 2, unk = 3;
  std::int64_t image = 257152;
  std::int64_t firstLoc = 256000;  // <loc0000>; 1024 in a row
  std::int64_t firstSeg = 257024;  // <seg000>; 128 in a row
};

// Text to ids and back, as the checkpoint's own tokenizer does it: tokenizer.json when there is one (it is the
// reference), else tokenizer.model. Strings like <eos> or <loc0007> in the text become their ids; nothing is added in
// front or behind. Immutable after loading: one object serves all threads.
class Tokenizer {
 public:
  static Result<Tokenizer> load(const std::filesystem::path& folder);
  static Result<Tokenizer> fromJson(const std::string& json, const std::string& where);
  static Result<Tokenizer> fromSentencePiece(const std::filesystem::path& model);

  TokenIds encode(std::string_view text) const;
  std::string decode(std::span<const std::int64_t> ids, bool skipSpecial = false) const;

  std::optional<std::int64_t> idOf(std::string_view piece) const;
  std::string pieceOf(std::int64_t id) const;  // "<unk>" for an id that names nothing
  bool isSpecial(std::int64_t id) const;
  std::int64_t size() const;  // one more than the largest id

  const SpecialIds& special() const;
  std::optional<int> locBin(std::int64_t id) const;  // 7 for <loc0007>
  std::optional<int> segCode(std::int64_t id) const;

  class Backend;

 private:
  explicit Tokenizer(std::shared_ptr<const Backend> backend);
  std::shared_ptr<const Backend> m_backend;
};

}  // namespace roadtune::text
