// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/decode.h"
#include "core/data/image/encode.h"
#include "core/data/image/image_header.h"
#include "core/data/image/perceptual_hash.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/data/pillow_images.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roadtune::data {
namespace {

Image gradient(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      image.row(y)[3 * x] = static_cast<std::uint8_t>(x * 255 / std::max(1, width - 1));
      image.row(y)[3 * x + 1] = static_cast<std::uint8_t>(y * 255 / std::max(1, height - 1));
      image.row(y)[3 * x + 2] = static_cast<std::uint8_t>((x ^ y) & 255);
    }
  return image;
}

TEST(DecodeImage, equalsPillowForEveryKindOfPicture) {
  const PillowImages& pillow = PillowImages::instance();
  int compared = 0;
  for (const auto& file : pillow.encoded()) {
    const std::string bytes = testing::readAll(file);
    const auto image = decodeImage(asBytes(bytes));
    ASSERT_TRUE(image.ok()) << file << ": " << image.error().text();
    EXPECT_TRUE(image.value() == pillow.expected(file, ".rgb")) << file;
    const auto header = readImageHeader(asBytes(bytes));
    ASSERT_TRUE(header.ok()) << file;
    EXPECT_EQ(header.value().width, image.value().width) << file;
    EXPECT_EQ(header.value().height, image.value().height) << file;
    ++compared;
  }
  EXPECT_GE(compared, 70);
}

TEST(DecodeImage, putsTransparencyOnWhiteWhenAsked) {
  const PillowImages& pillow = PillowImages::instance();
  int compared = 0;
  for (const auto& file : pillow.encoded()) {
    if (!pillow.has(file, ".white")) continue;
    const auto image = decodeImage(asBytes(testing::readAll(file)), {.alpha = AlphaPolicy::White});
    ASSERT_TRUE(image.ok()) << file;
    EXPECT_TRUE(image.value() == pillow.expected(file, ".white")) << file;
    ++compared;
  }
  EXPECT_GE(compared, 8);
}

TEST(DecodeImage, turnsByExifOnlyWhenAsked) {
  const PillowImages& pillow = PillowImages::instance();
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const auto file = pillow.folder() / "decode" / ("exif" + std::to_string(orientation) + ".jpg");
    const std::string bytes = testing::readAll(file);
    EXPECT_EQ(readJpegHeader(asBytes(bytes)).value().orientation, orientation);
    const auto turned = decodeImage(asBytes(bytes), {.orientation = OrientationPolicy::Apply});
    ASSERT_TRUE(turned.ok());
    EXPECT_TRUE(turned.value() == pillow.expected(file, ".turned")) << orientation;
  }
}

TEST(DecodeImage, namesATruncatedPictureWhereverItIsCut) {
  const PillowImages& pillow = PillowImages::instance();
  for (const char* name :
       {"s2q90_17x33.jpg", "rgba.png", "interlaced.png", "lossy.webp", "animated.webp", "progressive.jpg"}) {
    const std::string bytes = testing::readAll(pillow.folder() / "decode" / name);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto image = decodeImage(asBytes(std::string_view(bytes).substr(0, size)));
      if (image.ok()) {
        ADD_FAILURE() << name << " cut to " << size << " of " << bytes.size() << " bytes was decoded";
        break;
      }
    }
    const auto half = decodeImage(asBytes(std::string_view(bytes).substr(0, bytes.size() * 3 / 4)));
    ASSERT_FALSE(half.ok());
    EXPECT_NE(half.error().what.find("truncated"), std::string::npos) << name << ": " << half.error().text();
    EXPECT_EQ(half.error().kind, ErrorKind::BadInput);
  }
}

TEST(DecodeImage, survivesEveryFlippedByte) {
  const PillowImages& pillow = PillowImages::instance();
  for (const char* name :
       {"s2q30_7x5.jpg", "gray.png", "lossless.webp", "animatedalpha.webp", "cmyk.jpg", "exif6.jpg"}) {
    std::string bytes = testing::readAll(pillow.folder() / "decode" / name);
    bytes.resize(std::min<std::size_t>(bytes.size(), 3000));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
      const auto image = decodeImage(asBytes(damaged), {.maxPixels = 1 << 20});
      if (image.ok()) {
        EXPECT_EQ(image.value().pixels.size(), 3U * static_cast<unsigned>(image.value().width * image.value().height));
      }
    }
  }
}

TEST(DecodeImage, refusesWhatIsNoPicture) {
  EXPECT_NE(decodeImage({}).error().what.find("0 bytes"), std::string::npos);
  EXPECT_FALSE(decodeImage(asBytes("GIF89a and so on")).ok());
  EXPECT_FALSE(decodeImage(asBytes("\xff\xd8\xff")).ok());
}

TEST(DecodeImage, refusesBombsBeforeMemoryIsAsked) {
  std::string png = encodePng(gradient(4, 4)).value();
  png[16] = 0x00, png[17] = 0x01, png[18] = 0x00, png[19] = 0x00;  // 65536 x 65536
  png[20] = 0x00, png[21] = 0x01, png[22] = 0x00, png[23] = 0x00;
  const auto image = decodeImage(asBytes(png));
  ASSERT_FALSE(image.ok());
  EXPECT_NE(image.error().what.find("65536 x 65536"), std::string::npos) << image.error().text();
}

TEST(DecodeImage, refusesAJpegWithoutPixels) {
  std::string jpeg = encodeJpeg(gradient(20, 20)).value();
  const std::size_t frame = jpeg.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  jpeg[frame + 5] = jpeg[frame + 6] = 0;
  EXPECT_NE(decodeImage(asBytes(jpeg)).error().what.find("no pixels"), std::string::npos);
}

TEST(EncodeImage, keepsPngPixelsAndNearlyJpegOnes) {
  for (const auto& [width, height] : {std::pair{1, 1}, {5, 3}, {64, 40}, {333, 17}}) {
    const Image image = gradient(width, height);
    EXPECT_TRUE(decodeImage(asBytes(encodePng(image).value())).value() == image);
    const Image back = decodeImage(asBytes(encodeJpeg(image, 95, ChromaSampling::Full).value())).value();
    ASSERT_EQ(back.width, width);
    double sum = 0;
    for (std::size_t i = 0; i < back.pixels.size(); ++i) sum += std::abs(int(back.pixels[i]) - int(image.pixels[i]));
    EXPECT_LT(sum / static_cast<double>(back.pixels.size()), 16) << width;
  }
  EXPECT_FALSE(encodeJpeg({}, 90).ok());
  EXPECT_FALSE(encodeJpeg(gradient(4, 4), 0).ok());
  EXPECT_FALSE(encodePng({}).ok());
}

TEST(ReadJpegHeader, needsOnlyTheBeginning) {
  const std::string jpeg = encodeJpeg(gradient(320, 200)).value();
  const auto header = readJpegHeader(asBytes(std::string_view(jpeg).substr(0, 700)));
  ASSERT_TRUE(header.ok()) << header.error().text();
  EXPECT_EQ(header.value().width, 320);
  EXPECT_EQ(header.value().height, 200);
}

TEST(DecodeThumbnail, fitsTheSizeAndKeepsTheAspect) {
  const std::string jpeg = encodeJpeg(gradient(960, 640)).value();
  const auto small = decodeThumbnail(asBytes(jpeg), 240, 160);
  ASSERT_TRUE(small.ok());
  EXPECT_EQ(small.value().width, 240);
  EXPECT_EQ(small.value().height, 160);
  const auto narrow = decodeThumbnail(asBytes(jpeg), 100, 160);
  EXPECT_EQ(narrow.value().width, 100);
  EXPECT_EQ(narrow.value().height, 67);
  const auto never = decodeThumbnail(asBytes(encodePng(gradient(30, 20)).value()), 240, 160);
  EXPECT_EQ(never.value().width, 30);
  EXPECT_FALSE(decodeThumbnail(asBytes(jpeg), 0, 10).ok());
}

TEST(PerceptualHash, isNearForCopiesAndFarForOthers) {
  const Image image = gradient(300, 200);
  const Image again = decodeImage(asBytes(encodeJpeg(image, 60).value())).value();
  EXPECT_LE(hashDistance(perceptualHash(image), perceptualHash(again)), 6);
  EXPECT_LE(hashDistance(perceptualHash(image), perceptualHash(shrinkToFit(image, 90, 90))), 8);
  Image other(300, 200);
  for (std::size_t i = 0; i < other.pixels.size(); ++i)
    other.pixels[i] = static_cast<std::uint8_t>((i / 3 % 300 / 40 * 97 + i / 900 / 30 * 61) & 255);
  EXPECT_GE(hashDistance(perceptualHash(image), perceptualHash(other)), 16);
}

}  // namespace
}  // namespace roadtune::data
