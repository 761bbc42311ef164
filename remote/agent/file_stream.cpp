// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/file_stream.h"

#include "core/base/clock.h"
#include "core/base/exit_code.h"
#include "core/base/files.h"
#include "core/base/unique_fd.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_lock.h"
#include "remote/agent/last_word.h"
#include "remote/agent/leftovers.h"
#include "remote/agent/spare_room.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <vector>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLargestFrame = 1 << 20;
constexpr double kHeartbeatSeconds = 5;
constexpr double kLostSeconds = 3;                           // between two looks for agents that are gone
constexpr auto kSilenceOfTheDead = std::chrono::seconds(6);  // a living agent writes every second

bool send(int out, const FileFrame& frame, const char* bytes) {
  return writeAll(out, frameHeader(frame), frame.file).ok() && writeAll(out, {bytes, frame.size}, frame.file).ok();
}

// One frame of what follows `have`; 0 when there is nothing new, -1 when the receiver is gone.
int sendNext(const fs::path& run, const std::string& name, std::uint64_t& have, int out) {
  UniqueFd fd(::open((run / name).c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return 0;
  std::vector<char> buffer(kLargestFrame);
  const ssize_t count = ::pread(fd.get(), buffer.data(), buffer.size(), static_cast<off_t>(have));
  if (count <= 0) return 0;
  if (!send(out, {name, have, static_cast<std::uint64_t>(count)}, buffer.data())) return -1;
  have += static_cast<std::uint64_t>(count);
  return 1;
}

// Seconds since 1970 at which this machine was started; 0 when it does not tell.
double startOfMachine() {
  timespec up{};
  return ::clock_gettime(CLOCK_BOOTTIME, &up) == 0 ? wallSeconds() - static_cast<double>(up.tv_sec) : 0;
}

std::string fateOf(const fs::path& run, int node) {
  if (wasDiskFull(run, node)) return std::string(kDiskWasFull);
  double last = 0;
  protocol::EventReader reader(protocol::RunLayout(run).nodeEvents(node));
  [[maybe_unused]] const Status read = reader.pollFlat([&last](const protocol::FlatEvent& event) { last = event.t; });
  if (startOfMachine() > last) return "the machine was restarted, and the agent is gone without a word";
  return std::string("the agent was killed, and what watches over it as well; its ranks ") +
         (leftovers(run, node).empty() ? "have ended" : "save and end by themselves");
}

// A machine that was switched off took its agent with it, and nobody was left to say so. Whoever looks afterwards finds
// the lock free and no goodbye: then the goodbye is written here, so that nobody waits for ever. `unsaid` is what could
// not be written, until it is or somebody is at work again.
void sayGoodbyeForTheLost(const fs::path& run, std::string& unsaid) {
  const protocol::RunLayout layout(run);
  bool missing = false;
  for (const int node : layout.nodesWithEvents()) {
    std::error_code code;
    const fs::path events = layout.nodeEvents(node);
    if (AgentLock::holder(run, node) || lastWord(events)) continue;
    missing = true;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(events, code);
    if (code || age < kSilenceOfTheDead) continue;
    const std::string fate = fateOf(run, node);
    giveUpSpareRoom(run, node);
    auto writer = protocol::EventWriter::open(events, node);
    if (writer.ok())
      writer.value()->write("bye", 0, {{"reason", "lost"}, {"exit_code", int{kExitFailed}}, {"message", fate}});
    if (!writer.ok() || !writer.value()->flush()) unsaid = fate;
  }
  if (!missing) unsaid.clear();
}

// Waits up to 100 ms; false when the other side closed.
bool stillWanted(int in) {
  pollfd watched{in, POLLIN, 0};
  if (::poll(&watched, 1, 100) <= 0) return true;
  char ignored[256];
  return ::read(in, ignored, sizeof ignored) > 0;
}

}  // namespace

std::string frameHeader(const FileFrame& frame) {
  nlohmann::json header{{"file", frame.file}, {"offset", frame.offset}, {"size", frame.size}};
  if (!frame.lost.empty()) header["lost"] = frame.lost;
  return header.dump() + "\n";
}

Result<FileFrame> parseFrameHeader(const std::string& line) {
  const auto parsed = nlohmann::json::parse(line, nullptr, false);
  if (!parsed.is_object() || !parsed.contains("file") || !parsed["file"].is_string() ||
      !parsed.value("offset", nlohmann::json()).is_number_unsigned() ||
      !parsed.value("size", nlohmann::json()).is_number_unsigned())
    return failed("a frame is broken: " + line.substr(0, 80));
  FileFrame frame{parsed["file"], parsed["offset"], parsed["size"]};
  if (const auto lost = parsed.find("lost"); lost != parsed.end() && lost->is_string()) frame.lost = *lost;
  if (frame.size > kLargestFrame) return failed("a frame is too large: " + line.substr(0, 80));
  const fs::path path = frame.file;
  if (path.is_absolute() || frame.file.find("..") != std::string::npos)
    return failed("a frame names a file outside the run: " + frame.file);
  return frame;
}

std::string offsetsToJson(const FileOffsets& offsets) { return nlohmann::json(offsets).dump(); }

Result<FileOffsets> offsetsFromJson(const std::string& line) {
  const auto parsed = nlohmann::json::parse(line, nullptr, false);
  FileOffsets offsets;
  if (!parsed.is_object()) return badInput("the offsets are not a JSON object", "--stream");
  for (const auto& [name, value] : parsed.items()) {
    if (!value.is_number_unsigned()) return badInput("the offset of '" + name + "' is not a number", "--stream");
    offsets[name] = value;
  }
  return offsets;
}

FileOffsets streamableFiles(const fs::path& run) {
  FileOffsets files;
  std::error_code code;
  const auto add = [&](const fs::path& file) {
    const auto size = fs::file_size(file, code);
    if (!code) files[fs::relative(file, run, code).generic_string()] = size;
  };
  for (const char* folder : {"events", "logs", "ledger", "provenance", "runs"})
    for (auto entry = fs::recursive_directory_iterator(run / folder, code); entry != fs::recursive_directory_iterator();
         entry.increment(code)) {
      if (code) break;
      if (entry->is_regular_file(code)) add(entry->path());
    }
  return files;
}

int streamFiles(const fs::path& run, FileOffsets have, int in, int out) {
  double lastSent = monotonicSeconds(), lastLooked = 0;
  std::string unsaid;
  while (true) {
    bool more = false;
    if (monotonicSeconds() - lastLooked > kLostSeconds) {
      sayGoodbyeForTheLost(run, unsaid);
      lastLooked = monotonicSeconds();
    }
    for (const auto& [name, size] : streamableFiles(run)) {
      std::uint64_t& offset = have[name];
      if (offset >= size) continue;
      const int sent = sendNext(run, name, offset, out);
      if (sent < 0) return 0;
      if (sent > 0) lastSent = monotonicSeconds();
      more = more || offset < size;
    }
    if (monotonicSeconds() - lastSent > kHeartbeatSeconds) {
      if (!send(out, {.lost = unsaid}, nullptr)) return 0;
      lastSent = monotonicSeconds();
    }
    if (!more && !stillWanted(in)) return 0;
  }
}

}  // namespace roadtune::remote
