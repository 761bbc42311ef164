// SPDX-License-Identifier: GPL-3.0-or-later
// What the built programs really load, all the way down.
#include "tests/support/program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>

namespace roadtune::arch {
namespace {

using testing::programPath;
using testing::runProgram;

bool isBuilt(const std::string& name) { return std::filesystem::exists(std::string(ROADTUNE_BIN_DIR) + "/" + name); }

std::string librariesOf(const std::string& program) {
  const auto result = runProgram({"ldd", programPath(program)});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  return result.out;
}

void expectWithout(const std::string& program, const std::vector<std::string>& libraries) {
  if (!isBuilt(program)) GTEST_SKIP() << program << " is not part of this build";
  const std::string loaded = librariesOf(program);
  EXPECT_EQ(loaded.find("not found"), std::string::npos) << loaded;
  for (const auto& library : libraries)
    EXPECT_EQ(loaded.find(library), std::string::npos) << program << " loads " << library << ":\n" << loaded;
}

TEST(Programs, TheTrainerKnowsNoWindowsNoArrowNoGdal) {
  expectWithout("roadtune-train",
                {"libQt6", "libgdal", "libarrow", "libparquet", "libssh", "libopencv_imgcodecs", "libtorch_cuda.so"});
}

// Both halves are needed, or the matrix library decides by the processor's maker.
TEST(Programs, TheTrainerAnswersWhatTheMatrixLibraryAsks) {
  if (!isBuilt("roadtune-train")) GTEST_SKIP() << "not part of this build";
  const std::regex torch(R"((/\S+/libtorch_cpu\.so))");
  const std::string loaded = librariesOf("roadtune-train");
  std::smatch library;
  ASSERT_TRUE(std::regex_search(loaded, library, torch)) << loaded;
  for (const std::string& file : {programPath("roadtune-train"), library[1].str()}) {
    const auto symbols = runProgram({"nm", "-D", "--defined-only", file});
    EXPECT_NE(symbols.out.find(" T mkl_serv_intel_cpu_true\n"), std::string::npos) << file;
  }
}

TEST(Programs, TheStudioKnowsNoTorch) {
  expectWithout("roadtune-studio", {"libtorch", "libc10", "libarrow", "libparquet", "libopencv_imgcodecs"});
}

TEST(Programs, TheCommandLineKnowsNeitherWindowsNorTorch) {
  expectWithout("roadtune", {"libQt6", "libtorch", "libc10"});
}

TEST(Programs, TheAgentNeedsNextToNothing) {
  if (!isBuilt("roadtune-agent")) GTEST_SKIP() << "not part of this build";
  const std::string loaded = librariesOf("roadtune-agent");
  const std::regex allowed(
      R"((linux-vdso|libc\.so|libm\.so|libdl|libpthread|librt|ld-linux|libasan|libubsan|libtsan|libgcc_s)\S*)");
  std::istringstream lines(loaded);
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(" \t") != std::string::npos) EXPECT_TRUE(std::regex_search(line, allowed)) << line;
}

TEST(Programs, PublicHeadersWithoutASourceCompileAlone) {
  const auto result = runProgram(
      {ROADTUNE_CMAKE, "--build", ROADTUNE_BINARY_DIR, "--target", "roadtune_headers_alone", "--", "-k", "0"},
      {.timeoutSeconds = 840});
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
}

TEST(Lint, TheConfigurationEnablesWhatWeThink) {
  const auto result = runProgram({"clang-tidy", "--list-checks", "--config-file=" ROADTUNE_SOURCE_DIR "/.clang-tidy"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  for (const char* check :
       {"bugprone-use-after-move", "bugprone-dangling-handle", "clang-analyzer-core.NullDereference",
        "cppcoreguidelines-slicing", "cppcoreguidelines-virtual-class-destructor", "misc-redundant-expression",
        "modernize-use-override", "performance-unnecessary-copy-initialization", "readability-container-size-empty"})
    EXPECT_NE(result.out.find(check), std::string::npos) << check << " is not enabled";
  EXPECT_EQ(result.out.find("bugprone-easily-swappable-parameters"), std::string::npos);
}

}  // namespace
}  // namespace roadtune::arch
