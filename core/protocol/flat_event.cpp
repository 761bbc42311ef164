// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/flat_event.h"

#include "core/base/text.h"
#include "core/protocol/json_scan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace roadtune::protocol {

namespace {

std::string unescaped(std::string_view raw) {
  if (raw.find('\\') == std::string_view::npos) return std::string(raw);
  const auto parsed = nlohmann::json::parse("\"" + std::string(raw) + "\"", nullptr, false);
  return parsed.is_string() ? parsed.get<std::string>() : std::string(raw);
}

void setText(FlatField& field, std::string_view quoted) {
  field.kind = FlatField::Kind::Text;
  field.raw = quoted.substr(1, quoted.size() - 2);
  field.numeric = true;
  if (field.raw == "nan") {
    field.number = std::numeric_limits<double>::quiet_NaN();
  } else if (field.raw == "inf") {
    field.number = std::numeric_limits<double>::infinity();
  } else if (field.raw == "-inf") {
    field.number = -std::numeric_limits<double>::infinity();
  } else {
    field.numeric = false;
  }
}

void setValue(FlatField& field, std::string_view text) {
  field.numeric = false;
  field.number = 0;
  field.raw = text;
  switch (text.front()) {
    case '"': setText(field, text); return;
    case '{': field.kind = FlatField::Kind::Object; return;
    case '[': field.kind = FlatField::Kind::Array; return;
    case 'n': field.kind = FlatField::Kind::Null; return;
    case 't':
    case 'f':
      field.kind = FlatField::Kind::Flag;
      field.number = text.front() == 't' ? 1 : 0;
      return;
    default: break;
  }
  field.kind = FlatField::Kind::Number;
  field.numeric = true;
  std::from_chars(text.data(), text.data() + text.size(), field.number);
}

std::vector<std::string_view> itemsOf(std::string_view array) {
  std::vector<std::string_view> items;
  const JsonScan scan(array);
  if (scan.peek(0) != '[') return items;
  std::size_t at = scan.blanks(1);
  while (scan.peek(at) != ']') {
    const std::size_t end = scan.value(at);
    if (end == JsonScan::npos) break;
    items.push_back(array.substr(at, end - at));
    at = scan.blanks(end);
    if (scan.peek(at) == ',') at = scan.blanks(at + 1);
  }
  return items;
}

}  // namespace

bool FlatObject::parse(std::string_view text) {
  m_fields.clear();
  const JsonScan scan(text);
  std::size_t at = scan.blanks(0);
  if (scan.peek(at) != '{') return false;
  at = scan.blanks(at + 1);
  if (scan.peek(at) == '}') return scan.blanks(at + 1) == text.size();
  while (true) {
    const std::size_t keyEnd = scan.text(at);
    if (keyEnd == JsonScan::npos) return false;
    FlatField& field = m_fields.emplace_back();
    field.key = text.substr(at + 1, keyEnd - at - 2);
    at = scan.blanks(keyEnd);
    if (scan.peek(at) != ':') return false;
    at = scan.blanks(at + 1);
    const std::size_t end = scan.value(at, 1);
    if (end == JsonScan::npos) return false;
    setValue(field, text.substr(at, end - at));
    at = scan.blanks(end);
    if (scan.peek(at) == '}') return scan.blanks(at + 1) == text.size();
    if (scan.peek(at) != ',') return false;
    at = scan.blanks(at + 1);
  }
}

// Of a key that stands there twice, the last one counts, as in the tree parser.
const FlatField* FlatObject::find(std::string_view key) const {
  const auto found =
      std::find_if(m_fields.rbegin(), m_fields.rend(), [&](const FlatField& field) { return field.key == key; });
  return found == m_fields.rend() ? nullptr : &*found;
}

double FlatObject::numberOr(std::string_view key, double fallback) const {
  const FlatField* field = find(key);
  return field && field->numeric ? field->number : fallback;
}

std::int64_t FlatObject::integerOr(std::string_view key, std::int64_t fallback) const {
  const FlatField* field = find(key);
  if (!field || !field->numeric || !std::isfinite(field->number) || std::abs(field->number) > 9.2e18) return fallback;
  std::int64_t exact = 0;
  const char* end = field->raw.data() + field->raw.size();
  const auto [stop, problem] = std::from_chars(field->raw.data(), end, exact);
  return problem == std::errc() && stop == end ? exact : static_cast<std::int64_t>(field->number);
}

std::string FlatObject::textOr(std::string_view key, std::string fallback) const {
  const FlatField* field = find(key);
  return field && field->kind == FlatField::Kind::Text ? unescaped(field->raw) : fallback;
}

Status FlatEvent::parse(std::string_view text) {
  line = text;
  const bool quick = isValidUtf8(text) && members.parse(text) && members.integerOr("v", 0) == kFormatVersion;
  const FlatField* kindField = quick ? members.find("kind") : nullptr;
  const std::int64_t number = quick ? members.integerOr("seq", -1) : -1;
  if (!kindField || kindField->kind != FlatField::Kind::Text || kindField->raw.empty() || number < 0) {
    const Result<Event> whole = decode(text);  // for its words
    return whole.ok() ? badInput("not an event: nested too deeply") : whole.error();
  }
  seq = static_cast<std::uint64_t>(number);
  kind = unescaped(kindField->raw);
  t = members.numberOr("t", 0);
  mono = members.numberOr("mono", 0);
  rank = static_cast<int>(members.integerOr("rank", 0));
  step = members.integerOr("step", 0);
  return {};
}

std::vector<std::string_view> objectsOf(std::string_view array) {
  std::vector<std::string_view> objects = itemsOf(array);
  std::erase_if(objects, [](std::string_view item) { return item.front() != '{'; });
  return objects;
}

std::vector<std::string> textsOf(std::string_view array) {
  std::vector<std::string> texts;
  for (const std::string_view item : itemsOf(array))
    if (item.front() == '"') texts.push_back(unescaped(item.substr(1, item.size() - 2)));
  return texts;
}

}  // namespace roadtune::protocol
