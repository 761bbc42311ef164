// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/text_edit.h"

#include "core/base/text.h"

#include <algorithm>

namespace roadtune::config {
namespace {

using Text = std::string_view;

// Does what stands behind a value say that nobody gave it?
bool isMark(Text behind) {
  const Text words = trim(behind);
  return words.starts_with("# ") && (words.substr(2) == kDefaultMark || words.substr(2) == kImpliedMark);
}

std::size_t lineEnd(Text text, std::size_t at) {
  const auto end = text.find('\n', at);
  return end == Text::npos ? text.size() : end + 1;
}

// Of the line that begins at `at`; npos when it is blank or a comment.
std::size_t indentOf(Text text, std::size_t at) {
  const auto first = text.find_first_not_of(' ', at);
  if (first == Text::npos || text[first] == '\n' || text[first] == '\r' || text[first] == '#') return Text::npos;
  return first - at;
}

std::size_t afterQuoted(Text text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '\'' && at + 1 < text.size() && text[at + 1] == '\'') {
        ++at;
      } else {
        return at + 1;
      }
    }
  }
  return text.size();
}

bool startsComment(Text text, std::size_t at) {
  return text[at] == '#' && (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\n');
}

bool opensQuote(Text text, std::size_t at) {
  return (text[at] == '"' || text[at] == '\'') && (at == 0 || Text(" \t\n\r,[{:").find(text[at - 1]) != Text::npos);
}

// Behind the bracket that closes the one at `at`.
std::size_t afterFlow(Text text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    if (opensQuote(text, at)) {
      at = afterQuoted(text, at);
      continue;
    }
    if (startsComment(text, at)) {
      at = lineEnd(text, at);
      continue;
    }
    if (text[at] == '[' || text[at] == '{') ++depth;
    if (text[at] == ']' || text[at] == '}') --depth;
    ++at;
    if (depth == 0) return at;
  }
  return at;
}

// Behind a word without quotes, on its line; trailing blanks do not belong to it.
std::size_t afterPlain(Text text, std::size_t at, bool flow) {
  std::size_t end = at;
  for (; at < text.size() && text[at] != '\n' && text[at] != '\r'; ++at) {
    if (startsComment(text, at)) break;
    if (flow && (text[at] == ',' || text[at] == '}' || text[at] == ']')) break;
    if (text[at] != ' ' && text[at] != '\t') end = at + 1;
  }
  return end;
}

std::size_t afterToken(Text text, std::size_t at, bool flow) {
  if (at >= text.size()) return at;
  if (text[at] == '"' || text[at] == '\'') return afterQuoted(text, at);
  if (text[at] == '[' || text[at] == '{') return afterFlow(text, at);
  return afterPlain(text, at, flow);
}

// Behind the lines below `at` (a line's beginning) that belong to a key indented by `indent`.
std::size_t afterBlock(Text text, std::size_t at, std::size_t indent, const YamlNode& value, bool literal) {
  std::size_t end = at;
  while (at < text.size()) {
    const std::size_t next = lineEnd(text, at);
    const std::size_t depth = indentOf(text, at);
    if (depth == Text::npos) {
      const auto first = text.find_first_not_of(' ', at);
      const bool inside = literal && first != Text::npos && text[first] == '#' && first - at > indent;
      at = next;
      if (inside) end = at;
      continue;
    }
    const bool item = value.isList() && depth == indent && text[at + depth] == '-';
    if (depth <= indent && !item) break;
    end = at = next;
  }
  return end;
}

}  // namespace

std::optional<EntryPlace> placeOf(Text text, const Entry& entry) {
  EntryPlace place;
  place.flow = entry.parent->flow;
  place.keyBegin = entry.key->offset;
  if (place.keyBegin >= text.size() || entry.key->aliased) return {};
  const bool quoted = text[place.keyBegin] == '"' || text[place.keyBegin] == '\'';
  if (!quoted && text.substr(place.keyBegin, entry.key->text.size()) != entry.key->text) return {};
  place.keyEnd = quoted ? afterQuoted(text, place.keyBegin) : place.keyBegin + entry.key->text.size();
  const auto colon = text.find_first_not_of(" \t", place.keyEnd);
  if (colon == Text::npos || text[colon] != ':') return {};
  place.valueBegin = place.valueEnd = colon + 1;

  const auto first = text.find_first_not_of(" \t", colon + 1);
  const bool below = first == Text::npos || text[first] == '\n' || text[first] == '\r' || startsComment(text, first);
  const bool decorated = !below && (text[first] == '&' || text[first] == '!');
  const bool literal = !below && (text[first] == '|' || text[first] == '>');
  if (decorated) return {};
  if (!below) place.valueEnd = afterToken(text, first, place.flow);
  place.lineEnd = lineEnd(text, place.valueEnd);
  place.blockEnd = place.lineEnd;
  if (!place.flow) {
    const auto lineBegin = text.rfind('\n', place.keyBegin) == Text::npos ? 0 : text.rfind('\n', place.keyBegin) + 1;
    place.blockEnd = afterBlock(text, place.lineEnd, place.keyBegin - lineBegin, *entry.value, literal);
  }
  return place;
}

std::string withValue(Text text, const EntryPlace& place, Text key, Text yaml) {
  std::string result(text.substr(0, place.keyBegin));
  result += key.empty() ? text.substr(place.keyBegin, place.keyEnd - place.keyBegin) : key;
  result += text.substr(place.keyEnd, place.valueBegin - place.keyEnd);
  const auto old = text.substr(place.valueBegin, place.valueEnd - place.valueBegin);
  const auto blanks = old.find_first_not_of(" \t");
  result += blanks == Text::npos || blanks == 0 ? Text(" ") : old.substr(0, blanks);
  result += yaml;
  const std::size_t rest = std::max(place.blockEnd, place.lineEnd);
  const auto behind = text.substr(place.valueEnd, place.lineEnd - place.valueEnd);
  result += isMark(behind) ? behind.substr(behind.find_last_not_of("\r\n") + 1) : behind;
  return result + std::string(text.substr(rest));
}

std::string withoutEntry(Text text, const EntryPlace& place) {
  if (!place.flow) {
    const auto before = text.rfind('\n', place.keyBegin);
    const std::size_t begin = before == Text::npos ? 0 : before + 1;
    return std::string(text.substr(0, begin)) + std::string(text.substr(place.blockEnd));
  }
  std::size_t begin = place.keyBegin, end = place.valueEnd;
  const auto next = text.find_first_not_of(" \t\r\n", end);
  if (next != Text::npos && text[next] == ',') {
    end = std::min(text.find_first_not_of(" \t", next + 1), text.size());
  } else if (const auto before = text.find_last_not_of(" \t\r\n", begin - 1);
             before != Text::npos && text[before] == ',') {
    begin = before;
  }
  return std::string(text.substr(0, begin)) + std::string(text.substr(end));
}

std::optional<std::string> withNewEntry(Text text, const YamlNode& map, Text key, Text yaml) {
  if (map.aliased) return {};
  const std::string line = std::string(key) + ": " + std::string(yaml);
  if (map.flow) {
    if (map.offset >= text.size() || text[map.offset] != '{') return {};
    return std::string(text.substr(0, map.offset + 1)) + line + (map.entries.empty() ? "" : ", ") +
           std::string(text.substr(map.offset + 1));
  }
  if (map.entries.empty()) return {};
  const auto& [lastKey, lastValue] = map.entries.back();
  const auto place = placeOf(text, {nullptr, AliasRule::Same, &lastKey, &lastValue, &map});
  if (!place) return {};
  const auto before = text.rfind('\n', place->keyBegin);
  const std::size_t lineBegin = before == Text::npos ? 0 : before + 1;
  const std::string indent(text.substr(lineBegin, place->keyBegin - lineBegin));
  if (indent.find_first_not_of(' ') != std::string::npos) return {};
  const std::string eol(lineEndOf(text));
  std::string result(text.substr(0, place->blockEnd));
  if (!result.ends_with('\n')) result += eol;
  return result + indent + line + eol + std::string(text.substr(place->blockEnd));
}

std::string withAppended(Text text, Text heading, Text key, Text yaml) {
  const std::string eol(lineEndOf(text));
  std::size_t at = text.size();
  const auto end = text.rfind("\n...");  // of the document
  if (end != Text::npos && text.find_first_not_of(" \t\r\n", end + 4) == Text::npos) at = end + 1;
  std::string result(text.substr(0, at));
  if (!result.empty() && !result.ends_with('\n')) result += eol;
  if (!heading.empty()) result += (result.empty() ? "" : eol) + std::string(heading) + ":" + eol + "  ";
  return result + std::string(key) + ": " + std::string(yaml) + eol + std::string(text.substr(at));
}

Text lineEndOf(Text text) {
  const auto at = text.find('\n');
  return at != Text::npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace roadtune::config
