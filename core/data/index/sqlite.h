// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace roadtune::data {

// A SQLite file in WAL mode. Owns the connection; for one thread at a time.
class Sqlite {
 public:
  class Statement {
   public:
    Statement& bind(int position, const std::string& text);
    Statement& bind(int position, std::int64_t value);
    Statement& bind(int position, double value);

    // Runs to the end; the statement can then be bound and run again.
    Status finish();
    Status forEachRow(const std::function<void()>& visit);

    std::string text(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;

   private:
    friend class Sqlite;
    struct Finalize {
      void operator()(sqlite3_stmt* statement) const;
    };
    Error error() const;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    std::string m_file;
  };

  static Result<Sqlite> open(const std::filesystem::path& file);
  // Also where nothing can be written, not even the files beside it that WAL wants.
  static Result<Sqlite> openToRead(const std::filesystem::path& file);

  Status run(const char* sql);
  Status copyTo(const std::filesystem::path& file) const;  // which must not be there yet
  Result<Statement> prepare(const char* sql) const;
  Status transaction(const std::function<Status()>& work);  // all of it, or nothing

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  Error error() const;
  std::unique_ptr<sqlite3, Close> m_database;
  std::string m_file;
};

}  // namespace roadtune::data
