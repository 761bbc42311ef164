// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/sqlite.h"

#include <sqlite3.h>

namespace roadtune::data {

namespace {

constexpr int kBusyMilliseconds = 5000;

std::string uriOf(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '?' || c == '#' || c == '%')
      uri += c == '?' ? "%3f" : c == '#' ? "%23" : "%25";
    else
      uri += c;
  }
  return uri;
}

}  // namespace

void Sqlite::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void Sqlite::Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Error Sqlite::error() const { return failed(sqlite3_errmsg(m_database.get()), m_file); }

Result<Sqlite> Sqlite::open(const std::filesystem::path& file) {
  Sqlite sqlite;
  sqlite.m_file = file.string();
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  sqlite.m_database.reset(raw);
  if (code != SQLITE_OK) return sqlite.error();
  sqlite3_busy_timeout(raw, kBusyMilliseconds);
  ROADTUNE_CHECK(sqlite.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"));
  return sqlite;
}

// Without the right to write, WAL can be read only while a writer has its files open; else nobody is writing.
Result<Sqlite> Sqlite::openToRead(const std::filesystem::path& file) {
  Sqlite sqlite;
  sqlite.m_file = file.string();
  Status readable;
  for (const char* how : {"?mode=ro", "?immutable=1"}) {
    sqlite3* raw = nullptr;
    const std::string uri = uriOf(file) + how;
    sqlite3_open_v2(uri.c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    sqlite.m_database.reset(raw);
    sqlite3_busy_timeout(raw, kBusyMilliseconds);
    readable = sqlite.run("SELECT COUNT(*) FROM sqlite_master");
    if (readable.ok()) return sqlite;
  }
  return readable.error();
}

Status Sqlite::copyTo(const std::filesystem::path& file) const {
  ROADTUNE_TRY(Statement copy, prepare("VACUUM INTO ?"));
  return copy.bind(1, file.string()).finish();
}

Status Sqlite::run(const char* sql) {
  if (sqlite3_exec(m_database.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) return error();
  return {};
}

Result<Sqlite::Statement> Sqlite::prepare(const char* sql) const {
  Statement statement;
  statement.m_file = m_file;
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(m_database.get(), sql, -1, &raw, nullptr) != SQLITE_OK) return error();
  statement.m_statement.reset(raw);
  return statement;
}

Status Sqlite::transaction(const std::function<Status()>& work) {
  ROADTUNE_CHECK(run("BEGIN IMMEDIATE"));
  Status done = work();
  if (done.ok()) done = run("COMMIT");
  if (!done.ok()) {
    const Status undone = run("ROLLBACK");
    static_cast<void>(undone.ok());
  }
  return done;
}

Sqlite::Statement& Sqlite::Statement::bind(int position, const std::string& text) {
  sqlite3_bind_text(m_statement.get(), position, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  return *this;
}
Sqlite::Statement& Sqlite::Statement::bind(int position, std::int64_t value) {
  sqlite3_bind_int64(m_statement.get(), position, value);
  return *this;
}
Sqlite::Statement& Sqlite::Statement::bind(int position, double value) {
  sqlite3_bind_double(m_statement.get(), position, value);
  return *this;
}

Status Sqlite::Statement::finish() {
  return forEachRow([] {});
}

Status Sqlite::Statement::forEachRow(const std::function<void()>& visit) {
  int code = sqlite3_step(m_statement.get());
  for (; code == SQLITE_ROW; code = sqlite3_step(m_statement.get())) visit();
  Status result;
  if (code != SQLITE_DONE) result = error();
  sqlite3_reset(m_statement.get());
  return result;
}

Error Sqlite::Statement::error() const { return failed(sqlite3_errmsg(sqlite3_db_handle(m_statement.get())), m_file); }

std::string Sqlite::Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
  return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column)))
               : std::string();
}
std::int64_t Sqlite::Statement::integer(int column) const { return sqlite3_column_int64(m_statement.get(), column); }
double Sqlite::Statement::real(int column) const { return sqlite3_column_double(m_statement.get(), column); }

}  // namespace roadtune::data
