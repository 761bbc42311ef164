// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/spare_room.h"

#include "core/base/files.h"
#include "core/base/unique_fd.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <fstream>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

constexpr off_t kRoom = 64 * 1024;  // the longest last word, and what the disk needs to hold it
constexpr double kSoonFull = 10e9;  // bytes that can be written between two looks at what is left

fs::path roomOf(const fs::path& run, int node) { return run / fmt::format("{}{:02}", kSpareRoomPrefix, node); }

bool endsInTheMiddle(const fs::path& events) {
  std::ifstream file(events, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() == std::streampos(0)) return false;
  file.seekg(-1, std::ios::end);
  return file.get() != '\n';
}

}  // namespace

void holdSpareRoom(const fs::path& run, int node) {
  const fs::path room = roomOf(run, node);
  const UniqueFd fd(::open(room.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.valid() || ::posix_fallocate(fd.get(), 0, kRoom) == 0) return;
  giveUpSpareRoom(run, node);
}

void giveUpSpareRoom(const fs::path& run, int node) {
  std::error_code absent;
  fs::remove(roomOf(run, node), absent);
}

bool wasDiskFull(const fs::path& run, int node) {
  const fs::path events = protocol::RunLayout(run).nodeEvents(node);
  if (isDiskFull(run)) return true;
  double left = kSoonFull;
  protocol::EventReader reader(events);
  [[maybe_unused]] const Status read = reader.pollFlat([&left](const protocol::FlatEvent& event) {
    if (event.kind == "node") left = event.members.numberOr("disk_free", left);
  });
  return left < kRoom || (left < kSoonFull && endsInTheMiddle(events));
}

}  // namespace roadtune::remote
