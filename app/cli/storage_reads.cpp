// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/storage_reads.h"

#include "core/base/hash.h"
#include "core/data/storage/storage.h"

#include <utility>

namespace roadtune::cli {

namespace {

constexpr std::uint64_t kPiece = 4 << 20;

}  // namespace

Result<remote::PieceReader> readStorage(const std::string& address) {
  ROADTUNE_TRY(const auto location, data::parseLocation(address));
  ROADTUNE_TRY(const auto storage, data::Storage::open(location));
  ROADTUNE_TRY(auto objects, storage->list(location));
  if (objects.empty()) return badInput("there is nothing at this address");
  return remote::PieceReader([storage, location, objects = std::move(objects)](std::size_t i) -> Result<std::uint64_t> {
    const auto& object = objects[mix64(i) % objects.size()];
    const std::uint64_t room = object.bytes > kPiece ? object.bytes - kPiece : 0;
    ROADTUNE_TRY(const std::string piece,
                 storage->read(location.child(object.name), room > 0 ? mix64(i + 1) % room : 0, kPiece));
    return piece.size();
  });
}

}  // namespace roadtune::cli
