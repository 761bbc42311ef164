// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/value.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace roadtune::config {

// The text of a configuration file, with its comments and layout. It may hold anything while a user types; what is
// wrong with it is said by check() and resolve() (resolve.h). Edits touch the lines of one key and leave every other
// byte alone.
class Document {
 public:
  Document() = default;
  // `path` is where the text lies or will lie: relative paths inside it count from that folder.
  explicit Document(std::string text, std::filesystem::path path = {});
  static Result<Document> load(const std::filesystem::path& path);  // badInput when it cannot be read

  const std::string& text() const { return m_text; }
  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path folder() const;  // absolute

  // Finds the key under any of its spellings and in any section. set() on an absent key adds it to its section when the
  // file has that section, else at the top level. `key` may be an alias; the spelling of the file is kept.
  // Fails, and changes nothing, when the text is not well-formed YAML or is in flow style ({a: 1}) throughout.
  Status set(std::string_view key, const Value& value);
  Status unset(std::string_view key);
  bool contains(std::string_view key) const;

  Status save() const;                               // atomic, to path()
  Status saveAs(const std::filesystem::path& path);  // and makes it path()

 private:
  std::string m_text;
  std::filesystem::path m_path;
};

}  // namespace roadtune::config
