// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/download.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "remote/ssh/remote_process.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

namespace roadtune::remote {

namespace {

constexpr double kLongestSilence = 30;  // seconds without a byte

std::uint64_t sizeOf(const fs::path& path) {
  std::error_code code;
  const auto size = fs::file_size(path, code);
  return code ? 0 : size;
}

Status receive(Session& session, const RemoteFile& file, const fs::path& part, ProgressSink* progress) {
  ROADTUNE_TRY(AppendFile out, AppendFile::open(part));
  ROADTUNE_TRY(RemoteProcess process,
               RemoteProcess::start(session, fmt::format("tail -c +{} {}", out.size() + 1, shellQuote(file.path))));
  double lastHeard = monotonicSeconds();
  while (out.size() < file.bytes) {
    ROADTUNE_TRY(const std::string bytes, process.read(0.5));
    if (bytes.empty() && process.ended())
      return failed("ends too early: " + std::string(trim(process.errors())), session.host().label() + ":" + file.path);
    if (bytes.empty() && monotonicSeconds() - lastHeard > kLongestSilence)
      return failed("nothing arrived for 30 s", session.host().label() + ":" + file.path,
                    "check the connection; the copy goes on where it ended");
    if (!bytes.empty()) lastHeard = monotonicSeconds();
    ROADTUNE_CHECK(out.append(bytes));
    if (progress && !progress->report({"fetching", out.size(), file.bytes, "bytes", part.stem().string()}))
      return cancelled();
  }
  return out.sync();
}

}  // namespace

Status downloadFile(Session& session, const RemoteFile& file, const fs::path& target, ProgressSink* progress) {
  ROADTUNE_CHECK(makeFolders(target.parent_path()));
  if (sizeOf(target) == file.bytes && sha256OfFile(target).valueOr("") == file.sha256) return {};
  const fs::path part = target.string() + ".part";
  std::error_code code;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (attempt > 0 || sizeOf(part) > file.bytes) fs::remove(part, code);
    ROADTUNE_CHECK(receive(session, file, part, progress));
    ROADTUNE_TRY(const std::string hash, sha256OfFile(part));
    if (hash != file.sha256) continue;
    fs::rename(part, target, code);
    return code ? Status(systemError(code.value(), "cannot rename the copy", target.string())) : Status();
  }
  fs::remove(part, code);
  return failed("the copy differs from the original", session.host().label() + ":" + file.path,
                "is the file being changed there, or the disk faulty?");
}

}  // namespace roadtune::remote
