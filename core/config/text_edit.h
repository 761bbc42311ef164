// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/entries.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace roadtune::config {

// Where one entry lies in the bytes of its file.
struct EntryPlace {
  std::size_t keyBegin = 0, keyEnd = 0;
  std::size_t valueBegin = 0;  // just behind the colon
  std::size_t valueEnd = 0;    // behind the value on the line of the key (== valueBegin when it starts below)
  std::size_t blockEnd = 0;    // behind the last line of the entry, its line end included
  std::size_t lineEnd = 0;     // behind the line of valueEnd, its line end included
  bool flow = false;           // inside {...}
};

// Empty when the entry is written in a way that is not edited by hand either (complex keys, anchors).
std::optional<EntryPlace> placeOf(std::string_view text, const Entry& entry);

// These return the new text. They touch nothing but the lines of the entry; a comment behind the value stays, unless it
// says that nobody gave it.
std::string withValue(std::string_view text, const EntryPlace& place, std::string_view key, std::string_view yaml);
std::string withoutEntry(std::string_view text, const EntryPlace& place);

// A new entry at the end of the map (block style), or at its beginning (flow style). Empty when there is no way in.
std::optional<std::string> withNewEntry(std::string_view text, const YamlNode& map, std::string_view key,
                                        std::string_view yaml);

// At the end of the file; `heading` non-empty puts the entry below a new heading.
std::string withAppended(std::string_view text, std::string_view heading, std::string_view key, std::string_view yaml);

// "\r\n" or "\n", whichever the text uses.
std::string_view lineEndOf(std::string_view text);

}  // namespace roadtune::config
