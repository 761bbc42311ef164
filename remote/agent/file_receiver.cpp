// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/file_receiver.h"

#include "core/base/files.h"
#include "core/base/host_name.h"
#include "core/base/json_text.h"
#include "core/base/subprocess.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <functional>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace roadtune::remote {

namespace {

using nlohmann::json;

constexpr std::size_t kChunk = 1 << 18, kLongestHeader = 1 << 16;
constexpr std::size_t kBatchFiles = 100;
constexpr std::uint64_t kBatchBytes = 4 << 20;
constexpr double kHashLimit = 300;  // seconds for a batch

// A name of this receiver's own: another one may write the same file at the same time, also from another machine of a
// shared file system. Nothing goes on from it when the copy is cut.
std::string partOf(const SentFile& file) {
  const std::string who = hostName() + " " + std::to_string(::getpid()) + " ";
  const std::string name = "." + std::to_string(std::hash<std::string>()(who + file.path)) + ".part";
  return (fs::path(file.path).parent_path() / name).string();
}

bool isPart(const std::string& name) {
  constexpr std::string_view kEnd = ".part";
  return name.size() > kEnd.size() + 1 && name.front() == '.' && endsWith(name, kEnd) &&
         std::all_of(name.begin() + 1, name.end() - static_cast<std::ptrdiff_t>(kEnd.size()),
                     [](char c) { return c >= '0' && c <= '9'; });
}

// Of receivers that were killed. A whole file has its source's date, but not its change.
void removeAbandoned(const fs::path& folder, std::chrono::seconds after) {
  const std::time_t latest = std::time(nullptr) - after.count();
  std::error_code ended;
  for (fs::directory_iterator entry(folder, ended), none; !ended && entry != none; entry.increment(ended)) {
    struct stat info {};
    const std::string path = entry->path().string();
    if (isPart(entry->path().filename().string()) && ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        info.st_ctim.tv_sec <= latest)
      ::unlink(path.c_str());
  }
}

// Bytes in the order in which they come, lines and blocks of a known length alike.
class Input {
 public:
  explicit Input(int fd) : m_fd(fd) {}

  // False at the end of everything.
  Result<bool> line(std::string& text) {
    for (auto end = m_held.find('\n');; end = m_held.find('\n')) {
      if (end != std::string::npos) {
        text = m_held.substr(0, end);
        m_held.erase(0, end + 1);
        return true;
      }
      if (m_held.size() > kLongestHeader) return failed("what arrives is no list of files");
      ROADTUNE_TRY(const bool more, read());
      if (!more && m_held.empty()) return false;
      if (!more) return failed("the files end in the middle");
    }
  }

  // At most `most` bytes, at least one.
  Result<std::string> block(std::uint64_t most) {
    if (m_held.empty()) {
      ROADTUNE_TRY(const bool more, read());
      if (!more) return failed("the files end in the middle");
    }
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(most, m_held.size()));
    std::string bytes = m_held.substr(0, count);
    m_held.erase(0, count);
    return bytes;
  }

 private:
  Result<bool> read() {
    const std::size_t before = m_held.size();
    m_held.resize(before + kChunk);
    ssize_t count = -1;
    do count = ::read(m_fd, m_held.data() + before, kChunk);
    while (count < 0 && errno == EINTR);
    m_held.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0) return systemError("cannot read what arrives");
    return count > 0;
  }
  int m_fd;
  std::string m_held;
};

Result<SentFile> parseHeader(const std::string& line) {
  const auto parsed = json::parse(line, nullptr, false);
  if (!parsed.is_object() || !parsed.value("path", json()).is_string() || !parsed.value("sha256", json()).is_string() ||
      !parsed.value("size", json()).is_number_unsigned())
    return failed("what arrives is no list of files: " + line.substr(0, 80));
  SentFile file{parsed["path"], parsed["size"], parsed["sha256"], parsed.value("modified", std::int64_t{0})};
  if (!fs::path(file.path).is_absolute()) return failed("a file without its whole path: " + file.path);
  return file;
}

// Writes a file aside.
Status receive(Input& input, const SentFile& file) {
  ROADTUNE_CHECK(makeFolders(fs::path(file.path).parent_path()));
  const std::string part = partOf(file);
  const UniqueFd fd(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd.valid()) return systemError("cannot write", file.path);
  for (std::uint64_t left = file.size; left > 0;) {
    ROADTUNE_TRY(const std::string bytes, input.block(left));
    ROADTUNE_CHECK(writeAll(fd.get(), bytes, file.path));
    left -= bytes.size();
  }
  const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, {.tv_sec = file.modified, .tv_nsec = 0}};
  ::futimens(fd.get(), times);
  return {};
}

// Compares what lies aside with the hashes, all at once by the system's own program, and puts it into place.
Status adopt(const std::vector<SentFile>& files) {
  if (files.empty()) return {};
  SpawnOptions options{.command = {"sha256sum", "--"}};
  for (const auto& file : files) options.command.push_back(partOf(file));
  ROADTUNE_TRY(const CommandOutput told, runCommand(std::move(options), kHashLimit));
  const auto lines = split(told.out, '\n');
  for (std::size_t i = 0; i < files.size(); ++i) {
    // A backslash in front says that the name is written with escapes.
    const std::size_t begin = i < lines.size() && startsWith(lines[i], "\\") ? 1 : 0;
    if (i >= lines.size() || lines[i].substr(begin, 64) != files[i].sha256)
      return failed("the copy differs from the original: " + files[i].path);
  }
  for (const auto& file : files)
    if (::rename(partOf(file).c_str(), file.path.c_str()) != 0) return systemError("cannot rename the copy", file.path);
  return {};
}

}  // namespace

std::string sentFileHeader(const SentFile& file) {
  const json header{{"path", file.path}, {"size", file.size}, {"sha256", file.sha256}, {"modified", file.modified}};
  return jsonLine(header) + "\n";  // broken names are refused before
}

Status receiveFiles(int in, std::chrono::seconds abandonedAfter) {
  Input input(in);
  std::vector<SentFile> aside;
  std::set<fs::path> swept;
  std::uint64_t bytes = 0;
  const auto receiveAll = [&]() -> Status {
    for (std::string line;;) {
      ROADTUNE_TRY(const bool more, input.line(line));
      if (!more) return {};
      ROADTUNE_TRY(const SentFile file, parseHeader(line));
      if (const auto folder = fs::path(file.path).parent_path(); swept.insert(folder).second)
        removeAbandoned(folder, abandonedAfter);
      aside.push_back(file);
      ROADTUNE_CHECK(receive(input, file));
      bytes += file.size;
      if (aside.size() < kBatchFiles && bytes < kBatchBytes) continue;
      ROADTUNE_CHECK(adopt(aside));
      aside.clear();
      bytes = 0;
    }
  };
  Status received = receiveAll();
  if (received.ok()) received = adopt(aside);
  if (!received.ok())
    for (const auto& file : aside) ::unlink(partOf(file).c_str());
  return received;
}

}  // namespace roadtune::remote
