// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/upload.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/host_name.h"
#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "remote/ssh/remote_process.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/upload_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace roadtune::remote {

namespace {

constexpr std::size_t kChunk = 1 << 20;
constexpr double kLongestEnd = 600;  // seconds for a disk to take what is still under way

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

// Why bytes are not taken any more: the command's own words when it has ended, else what happened to the connection.
Error explain(RemoteProcess& process, const Error& trouble, const Session& session, const std::string& part) {
  for (int patience = 0; patience < 20 && !process.ended(); ++patience)
    if (!process.read(0.1).ok()) break;
  if (!process.ended() || process.errors().empty()) return trouble;
  return failed("cannot write " + part + ": " + std::string(trim(process.errors())), session.host().label(),
                "check free space and permissions there");
}

// Appends the bytes from `offset` on, without waiting for answers in between.
Status stream(Session& session, const MappedFile& file, std::uint64_t offset, const std::string& part,
              ProgressSink* progress, const std::string& name) {
  ROADTUNE_TRY(RemoteProcess process,
               RemoteProcess::start(session, (offset == 0 ? "cat > " : "cat >> ") + shellQuote(part)));
  while (offset < file.size()) {
    const std::size_t count = std::min<std::size_t>(file.size() - offset, kChunk);
    if (const Status sent = process.write(file.text().substr(offset, count)); !sent.ok())
      return explain(process, sent.error(), session, part);
    offset += count;
    if (progress && !progress->report({"copying", offset, file.size(), "bytes", name})) return cancelled();
  }
  process.closeInput();
  const double began = monotonicSeconds();
  while (!process.ended()) {
    const auto bytes = process.read(0.5);
    if (!bytes.ok()) return bytes.error();
    if (monotonicSeconds() - began > kLongestEnd)
      return failed(fmt::format("no end after {:.0f} s: {}", kLongestEnd, part), session.host().label());
  }
  if (process.exitCode() == 0) return {};
  return explain(process, failed("cannot write " + part, session.host().label()), session, part);
}

}  // namespace

std::string partName(const std::string& target) {
  return fmt::format("{}.{}.part", target, sha256Hex(fmt::format("{} {}", hostName(), ::getuid())).substr(0, 8));
}

Result<bool> hasFile(Session& session, const std::filesystem::path& file, const std::string& target) {
  ROADTUNE_TRY(const std::string hash, sha256OfFile(file));
  ROADTUNE_TRY(const std::string there, remoteHash(session, target));
  return there == hash;
}

Status uploadFile(Session& session, const std::filesystem::path& path, const std::string& target,
                  const std::string& mode, ProgressSink* progress) {
  ROADTUNE_TRY(const MappedFile file, MappedFile::open(path, MappedFile::Access::Sequential));
  const std::string hash = sha256Hex(file.bytes());
  ROADTUNE_TRY(const std::string there, remoteHash(session, target));
  if (there == hash) return {};
  const std::string part = partName(target);
  const auto slash = target.rfind('/');
  if (slash != std::string::npos) {
    ROADTUNE_TRY([[maybe_unused]] auto made, session.output("mkdir -p " + shellQuote(target.substr(0, slash))));
  }
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (attempt > 0) {
      ROADTUNE_TRY([[maybe_unused]] auto gone, session.output(fmt::format("rm -f {0} {0}.pieces", shellQuote(part))));
    }
    if (file.size() >= kWorthPieces) {
      ROADTUNE_CHECK(uploadPieces(session, file, hash, part, progress, path.filename().string()));
    } else {
      ROADTUNE_TRY(std::uint64_t offset, remoteSize(session, part));
      if (offset > file.size()) offset = 0;
      ROADTUNE_CHECK(stream(session, file, offset, part, progress, path.filename().string()));
    }
    ROADTUNE_TRY(const std::string arrived, remoteHash(session, part));
    const auto moved = arrived != hash
                           ? Result<std::string>(failed("incomplete"))
                           : session.output(fmt::format("chmod {0} {1} && mv -f {1} {2} && rm -f {1}.pieces", mode,
                                                        shellQuote(part), shellQuote(target)));
    if (moved.ok()) return {};
    // Somebody who brings the same file at the same time may have been quicker.
    ROADTUNE_TRY(const std::string now, remoteHash(session, target));
    if (now == hash) return {};
    if (arrived == hash) return moved.error();
  }
  return failed("the copy differs from the original: " + target, session.host().label(),
                "is the disk there full or faulty?");
}

}  // namespace roadtune::remote
