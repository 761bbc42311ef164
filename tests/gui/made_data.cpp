// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/made_data.h"

#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roadtune::testing {
namespace {

const TempFolder& home() {
  static const TempFolder kHome;
  return kHome;
}

std::filesystem::path made(const std::string& name, const std::vector<std::string>& command) {
  const auto folder = home() / name;
  if (std::filesystem::exists(folder)) return folder;
  const ProgramResult result = runProgram(command);
  EXPECT_EQ(result.exitCode, 0) << command[1] << ' ' << command[2] << ": " << result.err;
  return folder;
}

}  // namespace

std::filesystem::path drawnRecordings() {
  return made("scenes", {"roadtune", "data", "synth", "--out", (home() / "scenes").string(), "--format", "waymo-v1", "--segments", "3", "--frames", "8",
                         "--scale", "0.5", "--seed", "7"});
}

std::filesystem::path drawnIndex() {
  const auto scenes = drawnRecordings();
  return made("street-scenes", {"roadtune", "data", "index", scenes.string(), "--out", (home() / "street-scenes").string(), "--thumbnails"});
}

std::filesystem::path tinyModel() { return made("tiny-model", {"roadtune", "model", "new-tiny", "--out", (home() / "tiny-model").string()}); }

}  // namespace roadtune::testing
