// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/png_reader.h"

#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstring>

namespace roadtune::data {

namespace {

struct PngSource {
  std::span<const std::uint8_t> bytes;
  std::size_t at = 0;
  bool ended = false;      // the file was shorter than the picture
  char message[160] = {};  // what libpng said
};

// libpng leaves its functions through longjmp, so this object owns everything that must survive that.
struct PngDecoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  PngSource source;
  std::vector<png_bytep> rows;

  ~PngDecoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

void readBytes(png_structp png, png_bytep out, std::size_t size) {
  auto& source = *static_cast<PngSource*>(png_get_io_ptr(png));
  if (source.bytes.size() - source.at < size) {
    source.ended = true;
    png_error(png, "the file ends early");
  }
  std::memcpy(out, source.bytes.data() + source.at, size);
  source.at += size;
}

void keepMessage(png_structp png, png_const_charp message) {
  auto& source = *static_cast<PngSource*>(png_get_error_ptr(png));
  std::strncpy(source.message, message, sizeof source.message - 1);
  png_longjmp(png, 1);
}

void ignoreMessage(png_structp, png_const_charp) {}

void keepPalette(const PngDecoder& decoder, PngSamples& out) {
  for (auto& entry : out.palette) entry = {0, 0, 0, 255};
  png_colorp colours = nullptr;
  int count = 0;
  if (png_get_PLTE(decoder.png, decoder.info, &colours, &count) == 0) return;
  for (int i = 0; i < count && i < 256; ++i)
    out.palette[static_cast<std::size_t>(i)] = {colours[i].red, colours[i].green, colours[i].blue, 255};
}

void keepTransparency(const PngDecoder& decoder, PngSamples& out) {
  png_bytep alphas = nullptr;
  int count = 0;
  png_color_16p key = nullptr;
  if (png_get_tRNS(decoder.png, decoder.info, &alphas, &count, &key) == 0) return;
  if (out.colour == PngColour::Palette && alphas)
    for (int i = 0; i < count && i < 256; ++i) out.palette[static_cast<std::size_t>(i)][3] = alphas[i];
  if (out.colour == PngColour::Gray && key) out.transparent = {key->gray, key->gray, key->gray};
  if (out.colour == PngColour::Rgb && key) out.transparent = {key->red, key->green, key->blue};
}

bool readHead(PngDecoder& decoder, PngSamples& out) {
  if (setjmp(png_jmpbuf(decoder.png))) return false;
  png_set_read_fn(decoder.png, &decoder.source, readBytes);
  png_set_user_limits(decoder.png, 0x7fffffff, 0x7fffffff);
  png_read_info(decoder.png, decoder.info);
  out.width = static_cast<int>(png_get_image_width(decoder.png, decoder.info));
  out.height = static_cast<int>(png_get_image_height(decoder.png, decoder.info));
  out.depth = png_get_bit_depth(decoder.png, decoder.info);
  out.colour = static_cast<PngColour>(png_get_color_type(decoder.png, decoder.info));
  png_set_packing(decoder.png);
  png_set_interlace_handling(decoder.png);
  png_read_update_info(decoder.png, decoder.info);
  return true;
}

bool readRows(PngDecoder& decoder) {
  if (setjmp(png_jmpbuf(decoder.png))) return false;
  png_read_image(decoder.png, decoder.rows.data());
  png_read_end(decoder.png, nullptr);
  return true;
}

Error pngError(const PngDecoder& decoder) {
  if (decoder.source.ended)
    return badInput(fmt::format("the PNG is truncated: it ends after {} bytes", decoder.source.bytes.size()));
  return badInput(fmt::format("the PNG cannot be decoded: {}", decoder.source.message));
}

}  // namespace

int PngSamples::channels() const {
  switch (colour) {
    case PngColour::Gray:
    case PngColour::Palette: return 1;
    case PngColour::GrayAlpha: return 2;
    case PngColour::Rgb: return 3;
    case PngColour::Rgba: return 4;
  }
  return 1;
}

Result<PngSamples> readPng(std::span<const std::uint8_t> bytes) {
  PngDecoder decoder;
  decoder.source.bytes = bytes;
  decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder.source, keepMessage, ignoreMessage);
  decoder.info = decoder.png ? png_create_info_struct(decoder.png) : nullptr;
  if (!decoder.info) return failed("cannot start the PNG decoder");
  PngSamples out;
  if (!readHead(decoder, out)) return pngError(decoder);
  keepPalette(decoder, out);
  keepTransparency(decoder, out);
  const std::size_t rowBytes = static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.channels()) *
                               static_cast<std::size_t>(out.depth == 16 ? 2 : 1);
  out.samples.resize(rowBytes * static_cast<std::size_t>(out.height));
  decoder.rows.resize(static_cast<std::size_t>(out.height));
  for (std::size_t y = 0; y < decoder.rows.size(); ++y) decoder.rows[y] = out.samples.data() + y * rowBytes;
  if (!readRows(decoder)) return pngError(decoder);
  return out;
}

}  // namespace roadtune::data
