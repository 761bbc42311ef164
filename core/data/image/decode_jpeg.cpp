// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/codecs.h"
#include "core/data/image/jpeg_markers.h"

#include <fmt/format.h>
#include <turbojpeg.h>

#include <memory>

namespace roadtune::data {

namespace {

struct HandleCloser {
  void operator()(void* handle) const { tjDestroy(handle); }
};

// libjpeg goes on after most damage, as Pillow does. A file without an end was cut: that is an error.
Status judge(int code, tjhandle handle, std::span<const std::uint8_t> bytes) {
  if (code == 0) return {};
  const std::string message = tjGetErrorStr2(handle);
  if (!hasJpegEnd(bytes))
    return badInput(fmt::format("the JPEG is truncated: {} bytes hold no end of image", bytes.size()));
  if (tjGetErrorCode(handle) == TJERR_WARNING) return {};
  return badInput(fmt::format("the JPEG cannot be decoded: {}", message));
}

// Adobe's files store CMYK inverted; what libjpeg hands out is 255 - ink. The formula is that of Pillow.
void inkToRgb(const std::vector<std::uint8_t>& ink, Image& image) {
  const std::size_t pixels = image.pixels.size() / 3;
  for (std::size_t i = 0; i < pixels; ++i) {
    const int paper = ink[4 * i + 3];  // 255 - black
    for (std::size_t c = 0; c < 3; ++c) {
      const int product = (255 - ink[4 * i + c]) * paper + 128;
      image.pixels[3 * i + c] = static_cast<std::uint8_t>(paper - (((product >> 8) + product) >> 8));
    }
  }
}

Result<Image> decodeTo(std::span<const std::uint8_t> bytes, int width, int height) {
  // A fresh one for every picture: tables and states of a damaged file would live on in a kept one.
  const std::unique_ptr<void, HandleCloser> owner(tjInitDecompress());
  tjhandle handle = owner.get();
  if (!handle) return failed("cannot start the JPEG decoder");
  int fullWidth = 0, fullHeight = 0, sampling = 0, space = 0;
  if (tjDecompressHeader3(handle, bytes.data(), bytes.size(), &fullWidth, &fullHeight, &sampling, &space) != 0 &&
      tjGetErrorCode(handle) == TJERR_FATAL)
    return judge(-1, handle, bytes).error();
  Image image(width, height);
  const bool fourInks = space == TJCS_CMYK || space == TJCS_YCCK;
  std::vector<std::uint8_t> ink(fourInks ? image.pixels.size() / 3 * 4 : 0);
  const int code = tjDecompress2(handle, bytes.data(), bytes.size(), fourInks ? ink.data() : image.pixels.data(), width,
                                 0, height, fourInks ? TJPF_CMYK : TJPF_RGB, TJFLAG_ACCURATEDCT);
  ROADTUNE_CHECK(judge(code, handle, bytes));
  if (fourInks) inkToRgb(ink, image);
  return image;
}

}  // namespace

Result<Image> decodeJpeg(std::span<const std::uint8_t> bytes, const ImageHeader& header) {
  return decodeTo(bytes, header.width, header.height);
}

Result<Image> decodeJpegScaled(std::span<const std::uint8_t> bytes, const ImageHeader& header, int denominator) {
  const tjscalingfactor factor{1, denominator};
  return decodeTo(bytes, TJSCALED(header.width, factor), TJSCALED(header.height, factor));
}

}  // namespace roadtune::data
