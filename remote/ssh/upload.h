// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "remote/ssh/session.h"

#include <filesystem>
#include <string>

namespace roadtune::remote {

// Where a copy grows before it is whole: one name for each user of each machine that copies, as two of them at once
// would write into one file.
std::string partName(const std::string& target);

// Copies a file to the host and proves it: streamed into partName(target), large files through several channels (an
// interrupted copy resumes), compared by SHA-256 there, then renamed. Nothing is sent when the target already has the
// same content. Streaming through a channel keeps the link full; libssh 0.10's SFTP writes wait for every packet's
// answer. `mode` is an octal file mode such as "755".
Status uploadFile(Session& session, const std::filesystem::path& file, const std::string& target,
                  const std::string& mode = "644", ProgressSink* progress = nullptr);

// Has the host this very file?
Result<bool> hasFile(Session& session, const std::filesystem::path& file, const std::string& target);

}  // namespace roadtune::remote
