// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/index.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::data {

struct SavedView {
  std::string name, query;
};

// A box the user moved, added or removed. The labels on disk are never touched.
struct BoxOverride {
  std::string track;  // id of the box it replaces; a new id for an added box
  bool removed = false;
  double x = 0, y = 0, w = 0, h = 0;
  std::string label = {};
};

// What people add to an index: tags, notes, saved views, corrected boxes. A small SQLite file (WAL), kept apart from
// the columns and keyed by segment, camera and time, or the image's own name where it has one, so it survives a new
// import. One object per thread.
class UserData {
 public:
  // Beside the index (user.sqlite). When the index cannot be written, in the user's data folder, and what others have
  // added beside the index by then is taken over.
  static Result<UserData> open(const Index& index);
  // What people have added so far; nothing where nobody has, and then nothing is written either.
  static Result<std::optional<UserData>> openWritten(const Index& index);
  // Where it goes when it cannot lie beside the index; empty when it can.
  static std::filesystem::path elsewhere(const Index& index);
  bool writable() const;  // not where openWritten found what others keep beside an index of theirs
  UserData(UserData&&) noexcept;
  UserData& operator=(UserData&&) noexcept;
  ~UserData();

  Status addTag(const Index& index, const std::vector<ImageId>& images, const std::string& tag);
  Status removeTag(const Index& index, const std::vector<ImageId>& images, const std::string& tag);
  Result<std::map<std::string, std::size_t>> tags() const;  // with how many images carry each
  Result<std::vector<std::string>> tagsOf(const Index& index, ImageId image) const;
  Result<std::vector<ImageId>> tagged(const Index& index, const std::string& tag) const;  // sorted

  Status setNote(const Index& index, ImageId image, const std::string& text);  // empty removes
  Result<std::string> note(const Index& index, ImageId image) const;
  Result<std::map<ImageId, std::string>> notes(const Index& index) const;

  Status saveView(const SavedView& view);
  Status removeView(const std::string& name);
  Result<std::vector<SavedView>> views() const;

  Status setOverride(const Index& index, ImageId image, const BoxOverride& change);
  Status clearOverride(const Index& index, ImageId image, const std::string& track);
  Result<std::vector<BoxOverride>> overrides(const Index& index, ImageId image) const;

 private:
  struct Database;
  explicit UserData(std::unique_ptr<Database> database);
  static Result<UserData> openFile(const std::filesystem::path& file, const Index& index);
  std::unique_ptr<Database> m_database;
};

}  // namespace roadtune::data
