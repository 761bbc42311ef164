// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/protocol/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::protocol {

// One member of a JSON object, where it lies in the line.
struct FlatField {
  enum class Kind { Number, Text, Flag, Null, Object, Array };
  std::string_view key;  // as written, escapes and all
  Kind kind = Kind::Null;
  double number = 0;     // of a Number, a Flag (0 or 1), and of the texts "nan", "inf", "-inf"
  bool numeric = false;  // `number` means something
  std::string_view raw;  // the value's text; of a Text without its quotes, escapes and all
};

// The members of one object in order, without copies: the quick way to read events whose numbers are wanted and
// nothing else. Views point into the line it was parsed from.
class FlatObject {
 public:
  // False when `text` is no JSON object. Reuses the memory of earlier calls.
  bool parse(std::string_view text);

  const std::vector<FlatField>& fields() const { return m_fields; }
  const FlatField* find(std::string_view key) const;
  double numberOr(std::string_view key, double fallback) const;
  std::int64_t integerOr(std::string_view key, std::int64_t fallback) const;
  std::string textOr(std::string_view key, std::string fallback = {}) const;  // unescaped

 private:
  std::vector<FlatField> m_fields;
};

// An event as it lies in its line. `members` holds the envelope's members, too.
struct FlatEvent {
  std::string_view line;
  std::uint64_t seq = 0;
  double t = 0, mono = 0;
  int rank = 0;
  std::int64_t step = 0;
  std::string kind;  // short: takes no memory of its own
  FlatObject members;

  // Accepts and refuses exactly what decode() does, with its errors.
  Status parse(std::string_view text);
};

// The items of a JSON array of objects (others are left out), as texts.
std::vector<std::string_view> objectsOf(std::string_view array);
// The texts of a JSON array, unescaped; items that are no texts are left out.
std::vector<std::string> textsOf(std::string_view array);

}  // namespace roadtune::protocol
