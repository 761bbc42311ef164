// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/user_data.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/this_user.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/image_keys.h"
#include "core/data/index/sqlite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace roadtune::data {

namespace {

// The three values that name an image for good.
struct ImageKey {
  std::string segment;
  std::int64_t timestamp = 0;
  std::int64_t camera = 0;
};

void bindKey(Sqlite::Statement& statement, const ImageKey& key) {
  statement.bind(1, key.segment).bind(2, key.timestamp).bind(3, key.camera);
}

}  // namespace

struct UserData::Database {
  Sqlite sqlite;
  bool writable = true;
  bool byName = true;  // images that have names are named by them; in files of before by their places in a list
  std::unique_ptr<ImageKeys> keys = {};
  const Index* keysOf = nullptr;

  const ImageKeys& keysFor(const Index& index) {
    if (keysOf != &index) keys = std::make_unique<ImageKeys>(index);
    keysOf = &index;
    return *keys;
  }

  void bindImage(Sqlite::Statement& statement, const Index& index, ImageId image) {
    const ImageInfo info = index.image(image);
    const auto timestamp = byName ? keysFor(index).of(image) : info.timestamp;
    bindKey(statement, {index.segment(info.segment).info().name, timestamp, static_cast<std::int64_t>(info.camera)});
  }
};

namespace {

constexpr const char* kSchema = R"(
  CREATE TABLE IF NOT EXISTS tag (segment TEXT, timestamp INTEGER, camera INTEGER, tag TEXT COLLATE NOCASE,
                                  PRIMARY KEY (tag, segment, timestamp, camera)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tag_image ON tag (segment, timestamp, camera);
  CREATE TABLE IF NOT EXISTS note (segment TEXT, timestamp INTEGER, camera INTEGER, text TEXT,
                                   PRIMARY KEY (segment, timestamp, camera)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS view (name TEXT PRIMARY KEY, query TEXT);
  CREATE TABLE IF NOT EXISTS box (segment TEXT, timestamp INTEGER, camera INTEGER, track TEXT, removed INTEGER,
                                  x REAL, y REAL, w REAL, h REAL, label TEXT,
                                  PRIMARY KEY (segment, timestamp, camera, track)) WITHOUT ROWID;
)";

std::optional<ImageId> imageAt(const ImageKeys& keys, const Sqlite::Statement& statement, int column) {
  return keys.find(statement.text(column), statement.integer(column + 1),
                   static_cast<Camera>(statement.integer(column + 2)));
}

constexpr std::int64_t kByName = 1;  // user_version

Result<std::int64_t> versionOf(const Sqlite& sqlite) {
  ROADTUNE_TRY(auto select, sqlite.prepare("PRAGMA user_version"));
  std::int64_t version = 0;
  ROADTUNE_CHECK(select.forEachRow([&] { version = select.integer(0); }));
  return version;
}

// Rows of before, which know images by their places in a list: while the list is the same, they get their names.
Status nameImages(Sqlite& sqlite, const ImageKeys& keys) {
  struct Row {
    ImageKey key;
    std::int64_t named;
  };
  for (const char* table : {"tag", "note", "box"}) {
    std::vector<Row> rows;
    ROADTUNE_TRY(auto select, sqlite.prepare(fmt::format("SELECT DISTINCT segment, timestamp, camera FROM {} "
                                                         "WHERE timestamp >= 0",
                                                         table)
                                                 .c_str()));
    ROADTUNE_CHECK(select.forEachRow([&] {
      const auto image = imageAt(keys, select, 0);
      if (image && keys.of(*image) < 0)
        rows.push_back({{select.text(0), select.integer(1), select.integer(2)}, keys.of(*image)});
    }));
    ROADTUNE_TRY(auto update, sqlite.prepare(fmt::format("UPDATE OR REPLACE {} SET timestamp = ?4 WHERE segment = ?1 "
                                                         "AND timestamp = ?2 AND camera = ?3",
                                                         table)
                                                 .c_str()));
    for (const Row& row : rows) {
      bindKey(update, row.key);
      update.bind(4, row.named);
      ROADTUNE_CHECK(update.finish());
    }
  }
  return sqlite.run(fmt::format("PRAGMA user_version = {}", kByName).c_str());
}

bool canWrite(const fs::path& path) { return ::access(path.c_str(), W_OK) == 0; }

// Where the user's data of an index goes that cannot be written to.
fs::path fallbackFile(const Index& index) {
  const std::string name = fs::absolute(index.folder()).lexically_normal().string();
  return userDataFolder() / "roadtune" / "indexes" / fmt::format("{:016x}.sqlite", hash64(name));
}

}  // namespace

UserData::UserData(std::unique_ptr<Database> database) : m_database(std::move(database)) {}
UserData::UserData(UserData&&) noexcept = default;
UserData& UserData::operator=(UserData&&) noexcept = default;
bool UserData::writable() const { return m_database->writable; }
UserData::~UserData() = default;

Result<std::optional<UserData>> UserData::openWritten(const Index& index) {
  const IndexLayout layout{index.folder()};
  std::error_code ignored;
  const fs::path own = elsewhere(index);
  // An empty file is one that could not be begun: the disk was full.
  const auto begun = [&](const fs::path& file) { return fs::file_size(file, ignored) > 0 && !ignored; };
  const bool beside = begun(layout.userData());
  if ((!own.empty() && begun(own)) || (own.empty() && beside)) {
    ROADTUNE_TRY(UserData user, open(index));
    return std::optional<UserData>(std::move(user));
  }
  if (!beside) return std::optional<UserData>();
  ROADTUNE_TRY(Sqlite read, Sqlite::openToRead(layout.userData()));
  ROADTUNE_TRY(const std::int64_t version, versionOf(read));
  return std::optional<UserData>(
      UserData(std::make_unique<Database>(Database{std::move(read), false, version >= kByName})));
}

fs::path UserData::elsewhere(const Index& index) {
  const fs::path beside = IndexLayout{index.folder()}.userData();
  std::error_code ignored;
  const bool here = canWrite(index.folder()) && (!fs::exists(beside, ignored) || canWrite(beside));
  return here ? fs::path() : fallbackFile(index);
}

Result<UserData> UserData::open(const Index& index) {
  const fs::path beside = IndexLayout{index.folder()}.userData(), own = elsewhere(index);
  if (own.empty()) return openFile(beside, index);
  ROADTUNE_CHECK(makeFolders(own.parent_path()));
  std::error_code ignored;
  if (!fs::exists(own, ignored) && fs::exists(beside, ignored)) {
    ROADTUNE_TRY(const Sqlite theirs, Sqlite::openToRead(beside));
    ROADTUNE_CHECK(theirs.copyTo(own));
  }
  return openFile(own, index);
}

Result<UserData> UserData::openFile(const fs::path& file, const Index& index) {
  ROADTUNE_TRY(Sqlite sqlite, Sqlite::open(file));
  ROADTUNE_CHECK(sqlite.run(kSchema));
  ROADTUNE_TRY(const std::int64_t version, versionOf(sqlite));
  auto database = std::make_unique<Database>(Database{std::move(sqlite)});
  if (version < kByName)
    ROADTUNE_CHECK(
        database->sqlite.transaction([&] { return nameImages(database->sqlite, database->keysFor(index)); }));
  return UserData(std::move(database));
}

Status UserData::addTag(const Index& index, const std::vector<ImageId>& images, const std::string& tag) {
  Sqlite& db = m_database->sqlite;
  return db.transaction([&]() -> Status {
    ROADTUNE_TRY(auto insert, db.prepare("INSERT OR IGNORE INTO tag VALUES (?, ?, ?, ?)"));
    for (const ImageId image : images) {
      m_database->bindImage(insert, index, image);
      insert.bind(4, tag);
      ROADTUNE_CHECK(insert.finish());
    }
    return {};
  });
}

Status UserData::removeTag(const Index& index, const std::vector<ImageId>& images, const std::string& tag) {
  Sqlite& db = m_database->sqlite;
  return db.transaction([&]() -> Status {
    ROADTUNE_TRY(auto remove,
                 db.prepare("DELETE FROM tag WHERE segment = ? AND timestamp = ? AND camera = ? AND tag = ?"));
    for (const ImageId image : images) {
      m_database->bindImage(remove, index, image);
      remove.bind(4, tag);
      ROADTUNE_CHECK(remove.finish());
    }
    return {};
  });
}

Result<std::map<std::string, std::size_t>> UserData::tags() const {
  ROADTUNE_TRY(auto select, m_database->sqlite.prepare("SELECT tag, COUNT(*) FROM tag GROUP BY tag"));
  std::map<std::string, std::size_t> result;
  ROADTUNE_CHECK(select.forEachRow([&] { result[select.text(0)] = static_cast<std::size_t>(select.integer(1)); }));
  return result;
}

Result<std::vector<std::string>> UserData::tagsOf(const Index& index, ImageId image) const {
  ROADTUNE_TRY(auto select, m_database->sqlite.prepare(
                                "SELECT tag FROM tag WHERE segment = ? AND timestamp = ? AND camera = ? ORDER BY tag"));
  m_database->bindImage(select, index, image);
  std::vector<std::string> result;
  ROADTUNE_CHECK(select.forEachRow([&] { result.push_back(select.text(0)); }));
  return result;
}

Result<std::vector<ImageId>> UserData::tagged(const Index& index, const std::string& tag) const {
  ROADTUNE_TRY(auto select, m_database->sqlite.prepare("SELECT segment, timestamp, camera FROM tag WHERE tag = ?"));
  select.bind(1, tag);
  std::vector<ImageId> result;
  ROADTUNE_CHECK(select.forEachRow([&] {
    if (const auto image = imageAt(m_database->keysFor(index), select, 0)) result.push_back(*image);
  }));
  std::sort(result.begin(), result.end());
  return result;
}

Status UserData::setNote(const Index& index, ImageId image, const std::string& text) {
  const char* sql = text.empty() ? "DELETE FROM note WHERE segment = ? AND timestamp = ? AND camera = ?"
                                 : "INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?)";
  ROADTUNE_TRY(auto statement, m_database->sqlite.prepare(sql));
  m_database->bindImage(statement, index, image);
  if (!text.empty()) statement.bind(4, text);
  return statement.finish();
}

Result<std::string> UserData::note(const Index& index, ImageId image) const {
  ROADTUNE_TRY(auto select,
               m_database->sqlite.prepare("SELECT text FROM note WHERE segment = ? AND timestamp = ? AND camera = ?"));
  m_database->bindImage(select, index, image);
  std::string result;
  ROADTUNE_CHECK(select.forEachRow([&] { result = select.text(0); }));
  return result;
}

Result<std::map<ImageId, std::string>> UserData::notes(const Index& index) const {
  ROADTUNE_TRY(auto select, m_database->sqlite.prepare("SELECT segment, timestamp, camera, text FROM note"));
  std::map<ImageId, std::string> result;
  ROADTUNE_CHECK(select.forEachRow([&] {
    if (const auto image = imageAt(m_database->keysFor(index), select, 0)) result[*image] = select.text(3);
  }));
  return result;
}

Status UserData::saveView(const SavedView& view) {
  ROADTUNE_TRY(auto insert, m_database->sqlite.prepare("INSERT OR REPLACE INTO view VALUES (?, ?)"));
  insert.bind(1, view.name).bind(2, view.query);
  return insert.finish();
}

Status UserData::removeView(const std::string& name) {
  ROADTUNE_TRY(auto remove, m_database->sqlite.prepare("DELETE FROM view WHERE name = ?"));
  remove.bind(1, name);
  return remove.finish();
}

Result<std::vector<SavedView>> UserData::views() const {
  ROADTUNE_TRY(auto select, m_database->sqlite.prepare("SELECT name, query FROM view ORDER BY name"));
  std::vector<SavedView> result;
  ROADTUNE_CHECK(select.forEachRow([&] { result.push_back({select.text(0), select.text(1)}); }));
  return result;
}

Status UserData::setOverride(const Index& index, ImageId image, const BoxOverride& change) {
  ROADTUNE_TRY(auto insert,
               m_database->sqlite.prepare("INSERT OR REPLACE INTO box VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  m_database->bindImage(insert, index, image);
  insert.bind(4, change.track).bind(5, std::int64_t{change.removed});
  insert.bind(6, change.x).bind(7, change.y).bind(8, change.w).bind(9, change.h).bind(10, change.label);
  return insert.finish();
}

Status UserData::clearOverride(const Index& index, ImageId image, const std::string& track) {
  ROADTUNE_TRY(auto remove, m_database->sqlite.prepare(
                                "DELETE FROM box WHERE segment = ? AND timestamp = ? AND camera = ? AND track = ?"));
  m_database->bindImage(remove, index, image);
  remove.bind(4, track);
  return remove.finish();
}

Result<std::vector<BoxOverride>> UserData::overrides(const Index& index, ImageId image) const {
  ROADTUNE_TRY(auto select,
               m_database->sqlite.prepare("SELECT track, removed, x, y, w, h, label FROM box "
                                          "WHERE segment = ? AND timestamp = ? AND camera = ? ORDER BY track"));
  m_database->bindImage(select, index, image);
  std::vector<BoxOverride> result;
  ROADTUNE_CHECK(select.forEachRow([&] {
    result.push_back({.track = select.text(0),
                      .removed = select.integer(1) != 0,
                      .x = select.real(2),
                      .y = select.real(3),
                      .w = select.real(4),
                      .h = select.real(5),
                      .label = select.text(6)});
  }));
  return result;
}

}  // namespace roadtune::data
