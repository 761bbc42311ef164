// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/mapped_file.h"
#include "core/base/progress.h"
#include "remote/ssh/session.h"

#include <string>

namespace roadtune::remote {

// Writes a file into `part` over there through several channels at once, each a piece at a time. OpenSSH lets 2 MB be
// under way in each channel, which on a long way is what bounds a single one. Finished pieces are noted in
// `part`.pieces, under the hash of the file they belong to: a copy that was cut goes on with the others.
Status uploadPieces(Session& session, const MappedFile& file, const std::string& hash, const std::string& part,
                    ProgressSink* progress, const std::string& name);

// Files from this size on are worth several channels.
inline constexpr std::uint64_t kWorthPieces = 16 << 20;

}  // namespace roadtune::remote
