// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/upload.h"

#include "core/base/hash.h"
#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>
#include <libssh/libssh.h>

#include <algorithm>

namespace roadtune::remote {

namespace {

constexpr std::size_t kChunk = 1 << 20;

// The SHA-256 of a file there, empty when there is none.
Result<std::string> remoteHash(Session& session, const std::string& path) {
  const std::string quoted = shellQuote(path);
  ROADTUNE_TRY(const std::string line,
               session.output("test -f " + quoted + " && sha256sum < " + quoted + " || true", {.timeoutSeconds = 600}));
  return line.substr(0, line.find(' '));
}

Result<std::uint64_t> remoteSize(Session& session, const std::string& path) {
  ROADTUNE_TRY(const std::string text, session.output("stat -c %s " + shellQuote(path) + " 2>/dev/null || echo 0"));
  return static_cast<std::uint64_t>(std::strtoull(text.c_str(), nullptr, 10));
}

// Appends the bytes from `offset` on.
Status stream(Session& session, const MappedFile& file, std::uint64_t offset, const std::string& part,
              ProgressSink* progress, const std::string& name) {
  while (offset < file.size() || file.size() == 0) {
    const std::size_t count = std::min<std::size_t>(file.size() - offset, 16 * kChunk);
    const std::string command = (offset == 0 ? "cat > " : "cat >> ") + shellQuote(part);
    ROADTUNE_TRY(
        const CommandResult result,
        session.run(command, {.input = std::string(file.text().substr(offset, count)), .timeoutSeconds = 600}));
    if (result.exitCode != 0)
      return failed("cannot write " + part + ": " + std::string(trim(result.err)), session.host().label(),
                    "check free space and permissions there");
    offset += count;
    if (progress && !progress->report({"copying", offset, file.size(), "bytes", name})) return cancelled();
    if (file.size() == 0) break;
  }
  return {};
}

}  // namespace

Status uploadFile(Session& session, const std::filesystem::path& path, const std::string& target,
                  const std::string& mode, ProgressSink* progress) {
  ROADTUNE_TRY(const MappedFile file, MappedFile::open(path, MappedFile::Access::Sequential));
  const std::string hash = sha256Hex(file.bytes());
  ROADTUNE_TRY(const std::string there, remoteHash(session, target));
  if (there == hash) return {};
  const std::string part = target + ".part";
  const auto slash = target.rfind('/');
  if (slash != std::string::npos) {
    ROADTUNE_TRY([[maybe_unused]] auto made, session.output("mkdir -p " + shellQuote(target.substr(0, slash))));
  }
  for (int attempt = 0; attempt < 2; ++attempt) {
    ROADTUNE_TRY(std::uint64_t offset, remoteSize(session, part));
    if (offset > file.size() || attempt > 0) offset = 0;
    ROADTUNE_CHECK(stream(session, file, offset, part, progress, path.filename().string()));
    ROADTUNE_TRY(const std::string arrived, remoteHash(session, part));
    if (arrived != hash) continue;
    ROADTUNE_TRY([[maybe_unused]] auto moved,
                 session.output(fmt::format("chmod {} {} && mv -f {} {}", mode, shellQuote(part), shellQuote(part),
                                            shellQuote(target))));
    return {};
  }
  return failed("the copy differs from the original: " + target, session.host().label(),
                "is the disk there full or faulty?");
}

}  // namespace roadtune::remote
