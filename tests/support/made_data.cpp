// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_data.h"

#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;

// One test at a time looks or makes; the others wait and then find it.
class Turn {
 public:
  Turn() : m_lock(::open((programPath("roadtune") + "-made.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    ::flock(m_lock, LOCK_EX);
  }
  ~Turn() { ::close(m_lock); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int m_lock;
};

// What the programs make takes seconds and every case is a process of its own, so it is kept in the build folder for
// the program that made it; a new build makes it anew.
fs::path kept() {
  static const fs::path kFolder = [] {
    const fs::path program = programPath("roadtune");
    const fs::path all = program.parent_path().parent_path() / "made-for-tests";
    const auto stamp = fs::last_write_time(program).time_since_epoch().count();
    const fs::path mine = all / std::to_string(stamp);
    std::error_code error;
    if (!fs::exists(mine)) fs::remove_all(all, error);
    fs::create_directories(mine);
    return mine;
  }();
  return kFolder;
}

// `command` makes a folder that it is given after --out.
fs::path made(const std::string& name, std::vector<std::string> command) {
  const Turn turn;
  const fs::path folder = kept() / name;
  if (fs::exists(folder)) return folder;
  const fs::path part = kept() / (name + ".part");
  fs::remove_all(part);
  command.insert(command.end(), {"--out", part.string()});
  const ProgramResult result = runProgram(command, {.timeoutSeconds = 240});  // sanitized, on a busy machine
  EXPECT_EQ(result.exitCode, 0) << command[1] << ' ' << command[2] << ": " << result.err;
  fs::rename(part, folder);
  return folder;
}

}  // namespace

fs::path drawnRecordings() {
  return made("scenes", {"roadtune", "data", "synth", "--format", "waymo-v1", "--segments", "3", "--frames", "8",
                         "--scale", "0.5", "--seed", "7"});
}

fs::path drawnIndex() {
  static const TempFolder kHome;
  const fs::path mine = kHome / "street-scenes";
  if (!fs::exists(mine))
    fs::copy(made("street-scenes", {"roadtune", "data", "index", drawnRecordings().string(), "--thumbnails"}), mine,
             fs::copy_options::recursive);
  return mine;
}

void prepareDemo(const fs::path& folder) {
  const fs::path once = made("demo", {"roadtune", "demo", "--prepare-only", "--progress", "none"});
  for (const char* part : {"scenes", "model"}) fs::copy(once / part, folder / part, fs::copy_options::recursive);
  const auto result =
      runProgram({"roadtune", "demo", "--out", folder.string(), "--prepare-only", "--progress", "none"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
}

fs::path tinyModel() { return made("tiny-model", {"roadtune", "model", "new-tiny"}); }

}  // namespace roadtune::testing
