// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/file_sender.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "remote/agent/file_receiver.h"
#include "remote/ssh/remote_process.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/upload.h"

#include <fmt/format.h>

#include <sys/stat.h>

namespace roadtune::remote {

namespace {

constexpr std::uint64_t kSmall = 4 << 20;
constexpr double kLongestEnd = 600;  // seconds for a disk to take what is still under way

std::int64_t modifiedOf(const fs::path& file) {
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 ? info.st_mtim.tv_sec : 0;
}

// One number for many files: what is done before the file at hand, and of it.
class Sum : public ProgressSink {
 public:
  Sum(ProgressSink* sink, std::uint64_t total, std::string host)
      : m_sink(sink), m_total(total), m_host(std::move(host)) {}
  bool report(const Progress& progress) override { return tell(m_before + progress.done); }
  bool add(std::uint64_t bytes) { return tell(m_before += bytes); }

 private:
  bool tell(std::uint64_t done) { return !m_sink || m_sink->report({"copying", done, m_total, "bytes", m_host}); }
  ProgressSink* m_sink;
  std::uint64_t m_total, m_before = 0;
  std::string m_host;
};

Status waitForEnd(RemoteProcess& process, const std::string& host) {
  const double began = monotonicSeconds();
  while (!process.ended()) {
    const auto bytes = process.read(0.2);
    if (!bytes.ok()) return bytes.error();
    if (monotonicSeconds() - began > kLongestEnd) return failed("the copy does not end", host);
  }
  if (process.exitCode() == 0) return {};
  return failed("cannot take the files: " + std::string(trim(process.errors())), host,
                "check free space and permissions there; what has arrived stays");
}

Status sendSmall(Session& session, const std::string& agent, const std::vector<FileToSend>& files, Sum& progress) {
  ROADTUNE_TRY(RemoteProcess process, RemoteProcess::start(session, shellCommand({agent, "--receive"})));
  for (const auto& one : files) {
    if (one.bytes > kSmall) continue;
    ROADTUNE_TRY(const std::string content, readFile(one.file));
    Status sent = process.write(sentFileHeader({one.target, content.size(), sha256Hex(content), modifiedOf(one.file)}));
    if (sent.ok()) sent = process.write(content);
    if (process.ended()) break;  // its own words tell why
    ROADTUNE_CHECK(sent);
    if (!progress.add(one.bytes)) return cancelled();
  }
  process.closeInput();
  return waitForEnd(process, session.host().label());
}

}  // namespace

Status sendFiles(Session& session, const std::string& agent, const std::vector<FileToSend>& files, ProgressSink* sink) {
  std::uint64_t total = 0;
  bool anySmall = false;
  for (const auto& one : files) {
    total += one.bytes;
    anySmall |= one.bytes <= kSmall;
  }
  Sum progress(sink, total, session.host().label());
  if (anySmall) ROADTUNE_CHECK(sendSmall(session, agent, files, progress));
  for (const auto& one : files) {
    if (one.bytes <= kSmall) continue;
    ROADTUNE_CHECK(uploadFile(session, one.file, one.target, "644", &progress));
    const auto stamped = session.output(fmt::format("touch -d @{} {}", modifiedOf(one.file), shellQuote(one.target)));
    if (!stamped.ok()) return stamped.error();
    if (!progress.add(one.bytes)) return cancelled();
  }
  return {};
}

}  // namespace roadtune::remote
