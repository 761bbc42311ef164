// SPDX-License-Identifier: GPL-3.0-or-later
// Between the sources of this folder.
#pragma once
#include "core/data/storage/storage.h"

#include <arrow/filesystem/filesystem.h>
#include <arrow/result.h>

#include <span>

namespace roadtune::data {

struct Storage::Impl {
  Location::Kind kind = Location::Kind::Local;
  std::shared_ptr<arrow::fs::FileSystem> files;

  static std::string pathOf(const Location& place);
  Error error(const arrow::Status& status, const Location& place) const;
  arrow::Status canList(const Location& place) const;
  Status put(std::span<const std::uint8_t> bytes, const Location& object, const BytesMoved& moved) const;
};

// A server by its address: "http://localhost:5000".
struct Server {
  std::string scheme = "https", host;
};
std::optional<Server> serverOf(Location::Kind kind);

// Connects, which for object storage asks nobody yet.
Result<std::shared_ptr<arrow::fs::FileSystem>> openFiles(const Location& place);

// What a provider's words mean, where, and what to try. Secrets are taken out.
Error storageError(const std::string& words, const Location& place);

}  // namespace roadtune::data

// ROADTUNE_ARROW(auto file, files->Open(...), toError): hands the library's error on as ours, or goes on with the
// value.
#define ROADTUNE_ARROW(declaration, expression, errorOf)                                                         \
  auto ROADTUNE_JOIN(arrowResult, __LINE__) = (expression);                                                      \
  if (!ROADTUNE_JOIN(arrowResult, __LINE__).ok()) return errorOf(ROADTUNE_JOIN(arrowResult, __LINE__).status()); \
  declaration = std::move(ROADTUNE_JOIN(arrowResult, __LINE__)).ValueUnsafe()
