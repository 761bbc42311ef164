// SPDX-License-Identifier: GPL-3.0-or-later
// What `cmake --install` and the packages bring, away from the build and from .deps/.
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace roadtune {
namespace {

using testing::runProgram;
using testing::TempFolder;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Installed, RunsFromAFolderThatWasMoved) {
  const TempFolder folder;
  const auto build = std::filesystem::path(ROADTUNE_BIN_DIR).parent_path();
  const auto installed = runProgram(
      {"cmake", "--install", build.string(), "--component", "studio", "--prefix", (folder / "first").string()});
  ASSERT_EQ(installed.exitCode, 0) << installed.out << installed.err;
  std::filesystem::rename(folder / "first", folder / "second");
  const auto program = [&](const std::string& name) { return (folder / "second/bin" / name).string(); };
  for (const char* name : {"roadtune", "roadtune-agent", "roadtune-train", "roadtune-studio"}) {
    const auto loaded = runProgram({"ldd", program(name)});
    EXPECT_EQ(loaded.exitCode, 0) << name << loaded.err;
    for (const std::string& strange : {std::string("not found"), build.string(), std::string(ROADTUNE_DEPS_DIR)})
      EXPECT_FALSE(has(loaded.out, strange)) << name << " needs " << strange << ":\n" << loaded.out;
  }
  // Programs for other machines leave behind what lies in such a folder.
  EXPECT_TRUE(has(runProgram({"ldd", program("roadtune-train")}).out, "/lib/roadtune/torch/lib/libtorch_cpu.so"));
  EXPECT_EQ(runProgram({program("roadtune-train"), "--version"}).exitCode, 0);
  const auto preset = runProgram({program("roadtune"), "config", "init", "--preset", "lora-r8"});
  EXPECT_EQ(preset.exitCode, 0) << preset.err;
  EXPECT_TRUE(has(preset.out, "r: 8")) << preset.out;
  EXPECT_TRUE(std::filesystem::exists(folder / "second/share/applications/roadtune-studio.desktop"));
}

}  // namespace
}  // namespace roadtune
