// SPDX-License-Identifier: GPL-3.0-or-later
// Opening the plugin, and what is said when something does not suit.
#include "core/engine/cuda/plugin.h"

#include "core/engine/nn/device.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>

namespace roadtune::engine {
namespace {

TEST(Plugin, ServesItsGenerationsAndLaterOnesThroughPtx) {
  const std::string built = "80 90 100 100+PTX";
  EXPECT_TRUE(cuda::suits(built, 8, 0));
  EXPECT_TRUE(cuda::suits(built, 8, 9));
  EXPECT_TRUE(cuda::suits(built, 9, 0));
  EXPECT_TRUE(cuda::suits(built, 10, 3));
  EXPECT_TRUE(cuda::suits(built, 12, 0));
  EXPECT_FALSE(cuda::suits(built, 7, 5));
  EXPECT_FALSE(cuda::suits("90 90+PTX", 8, 6));
}

TEST(Plugin, OpensWithoutADriverAndNamesItsRelease) {
  if (!ROADTUNE_HAVE_CUDA) GTEST_SKIP() << "built without a CUDA compiler";
  const auto file = cuda::findPlugin();
  ASSERT_TRUE(file.ok()) << file.error().text();
  const auto plugin = cuda::openPlugin(file.value());
  ASSERT_TRUE(plugin.ok()) << plugin.error().text();
  EXPECT_EQ(plugin.value()->api, cuda::kPluginApi);
  EXPECT_STREQ(plugin.value()->version, ROADTUNE_VERSION);
  EXPECT_GE(plugin.value()->runtimeVersion(), 13000);
  if (cuda::driverInstalled()) return;
  std::array<char, 256> words{};
  EXPECT_EQ(plugin.value()->deviceCount(words.data(), words.size()), -1);
  EXPECT_NE(std::strlen(words.data()), 0u);
}

TEST(Plugin, AnotherFileIsRefusedByName) {
  const roadtune::testing::TempFolder folder;
  const auto file = folder.path() / "libroadtune_cuda.so";
  std::ofstream(file) << "no library";
  const auto plugin = cuda::openPlugin(file);
  ASSERT_FALSE(plugin.ok());
  EXPECT_EQ(plugin.error().kind, ErrorKind::Missing);
  EXPECT_NE(plugin.error().text().find("libroadtune_cuda.so"), std::string::npos);
}

TEST(Device, WordsThatAreNoDeviceAreBadInput) {
  for (const char* word : {"gpu", "cuda:", "cuda:x", "cuda:-1", "tpu"}) {
    const auto device = openDevice(word);
    ASSERT_FALSE(device.ok()) << word;
    EXPECT_EQ(device.error().kind, ErrorKind::BadInput) << word;
  }
}

TEST(Device, AutoIsTheCpuWithoutADriver) {
  if (cuda::driverInstalled()) GTEST_SKIP() << "there is a driver here";
  const auto device = openDevice("auto");
  ASSERT_TRUE(device.ok());
  EXPECT_TRUE(device.value().is_cpu());
}

TEST(Device, AskingForAGpuThatIsNotThereEndsTheProgramWithThree) {
  if (cuda::driverInstalled()) GTEST_SKIP() << "there is a driver here";
  const auto result =
      roadtune::testing::runProgram({roadtune::testing::programPath("roadtune-train"), "probe", "--model", "nowhere",
                                     "--batch", "nothing", "--out", "nothing", "--device", "cuda:0"});
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_NE(result.err.find("libcuda.so.1"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace roadtune::engine
