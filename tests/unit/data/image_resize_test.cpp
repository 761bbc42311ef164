// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/data/image/resize.h"
#include "tests/unit/data/pillow_images.h"

#include <gtest/gtest.h>

#include <numeric>

namespace roadtune::data {
namespace {

// The golden picture of the reference: bytes are ((7x + 13y + 71c) xor ((x*y) >> 5)) & 255.
Image golden() {
  Image image(640, 427);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      for (int c = 0; c < 3; ++c)
        image.row(y)[3 * x + c] = static_cast<std::uint8_t>(((7 * x + 13 * y + 71 * c) ^ ((x * y) >> 5)) & 255);
  return image;
}

class ResizeKernels : public ::testing::TestWithParam<ResizeKernel> {
 protected:
  void SetUp() override {
    if (GetParam() == ResizeKernel::Avx2 && !resizeBicubic(Image(2, 2), 1, 1, GetParam()).ok())
      GTEST_SKIP() << "no AVX2 here";
  }
};

TEST_P(ResizeKernels, givesTheGoldenHashes) {
  const std::pair<int, const char*> cases[] = {
      {224, "505c356af8f1b19da07cdb9f658cf50a0525ae5804d5fab97bf2df5148122b18"},
      {448, "551f898f770524b2a6c2f9b26f8386d720e1cae2d77908fce581eee11d63f785"},
      {896, "862e698c072c590b13c839501b2975922272cc9b0af302bff52f3d0e27facb94"}};
  for (const auto& [side, hash] : cases)
    EXPECT_EQ(sha256Hex(std::span<const std::uint8_t>(resizeBicubic(golden(), side, side, GetParam()).value().pixels)),
              hash)
        << side;
}

TEST_P(ResizeKernels, givesTheSmallGoldenPicture) {
  Image image(7, 5);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) {
      image.row(y)[3 * x] = static_cast<std::uint8_t>(37 * x + 11 * y);
      image.row(y)[3 * x + 1] = static_cast<std::uint8_t>(13 * x * x + 29 * y);
      image.row(y)[3 * x + 2] = static_cast<std::uint8_t>(255 - 17 * x - 23 * y);
    }
  const std::vector<std::uint8_t> expected = {17, 7,   245, 79,  67,  217, 147, 169, 185, 209, 162, 157,
                                              30, 42,  217, 92,  104, 189, 160, 146, 157, 222, 132, 129,
                                              44, 80,  187, 106, 145, 159, 174, 94,  127, 241, 70,  99,
                                              57, 115, 159, 119, 180, 131, 196, 137, 99,  135, 114, 71};
  EXPECT_EQ(resizeBicubic(image, 4, 4, GetParam()).value().pixels, expected);
}

TEST_P(ResizeKernels, equalsPillowForManySizes) {
  const auto folder = PillowImages::instance().folder() / "resize";
  const Image source = PillowImages::readRaw(folder / "in.rgb");
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    int width = 0, height = 0;
    if (std::sscanf(name.c_str(), "%dx%d", &width, &height) != 2) continue;
    EXPECT_TRUE(resizeBicubic(source, width, height, GetParam()).value() == PillowImages::readRaw(entry.path()))
        << name;
    ++compared;
  }
  EXPECT_GE(compared, 14);
  const Image tiny = PillowImages::readRaw(folder / "tiny.rgb");
  EXPECT_TRUE(resizeBicubic(tiny, 17, 9, GetParam()).value() == PillowImages::readRaw(folder / "tiny_to_17x9.rgb"));
}

INSTANTIATE_TEST_SUITE_P(Kernels, ResizeKernels,
                         ::testing::Values(ResizeKernel::Scalar, ResizeKernel::Avx2, ResizeKernel::Auto));

TEST(ResizeBicubic, bothKernelsGiveTheSameBitsForRandomPictures) {
  if (!resizeBicubic(Image(2, 2), 1, 1, ResizeKernel::Avx2).ok()) GTEST_SKIP() << "no AVX2 here";
  Random random(11);
  const auto side = [&] { return 1 + static_cast<int>(random.below(90)); };
  for (int round = 0; round < 150; ++round) {
    const int fromWidth = side(), fromHeight = side(), width = side(), height = side();
    Image image(fromWidth, fromHeight);
    for (auto& value : image.pixels)
      value = random.below(3) ? static_cast<std::uint8_t>(random.below(256))
                              : static_cast<std::uint8_t>(255 * random.below(2));
    EXPECT_TRUE(resizeBicubic(image, width, height, ResizeKernel::Avx2).value() ==
                resizeBicubic(image, width, height, ResizeKernel::Scalar).value())
        << fromWidth << "x" << fromHeight << " -> " << width << "x" << height;
  }
}

TEST(ResizeBicubic, refusesWhatCannotBe) {
  EXPECT_FALSE(resizeBicubic({}, 4, 4).ok());
  EXPECT_FALSE(resizeBicubic(Image(4, 4), 0, 4).ok());
  EXPECT_FALSE(resizeBicubic(Image(4, 4), 4, -1).ok());
  EXPECT_FALSE(resizeBicubic(Image(4, 4), 1 << 20, 4).ok());
}

}  // namespace
}  // namespace roadtune::data
