// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/encode.h"

#include <fmt/format.h>
#include <turbojpeg.h>

#include <memory>
#include <zlib.h>

namespace roadtune::data {

namespace {

struct CompressorCloser {
  void operator()(void* handle) const { tjDestroy(handle); }
};

void appendBig32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift & 0xff));
}

void appendChunk(std::string& out, std::string_view type, std::string_view data) {
  appendBig32(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = out.size();
  out.append(type).append(data);
  appendBig32(out, static_cast<std::uint32_t>(
                       crc32_z(0, reinterpret_cast<const Bytef*>(out.data()) + start, out.size() - start)));
}

// Rows with the "up" filter: drawn scenes and smooth pictures repeat from row to row.
std::string filteredRows(const Image& image) {
  std::string rows;
  rows.reserve((image.rowBytes() + 1) * static_cast<std::size_t>(image.height));
  for (int y = 0; y < image.height; ++y) {
    rows.push_back(y == 0 ? 0 : 2);
    for (std::size_t x = 0; x < image.rowBytes(); ++x)
      rows.push_back(static_cast<char>(image.row(y)[x] - (y == 0 ? 0 : image.row(y - 1)[x])));
  }
  return rows;
}

}  // namespace

Result<std::string> encodeJpeg(const Image& image, int quality, ChromaSampling sampling) {
  if (image.empty()) return badInput("a picture without pixels cannot be written");
  if (quality < 1 || quality > 100) return badInput(fmt::format("JPEG quality {} is not in 1..100", quality));
  const std::unique_ptr<void, CompressorCloser> owner(tjInitCompress());
  tjhandle handle = owner.get();
  if (!handle) return failed("cannot start the JPEG encoder");
  const int subsampling = sampling == ChromaSampling::Half ? TJSAMP_420 : TJSAMP_444;
  std::string out(tjBufSize(image.width, image.height, subsampling), '\0');
  auto* data = reinterpret_cast<unsigned char*>(out.data());
  unsigned long size = out.size();
  if (tjCompress2(handle, image.pixels.data(), image.width, 0, image.height, TJPF_RGB, &data, &size, subsampling,
                  quality, TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT) != 0)
    return failed(fmt::format("the JPEG cannot be written: {}", tjGetErrorStr2(handle)));
  out.resize(size);
  return out;
}

Result<std::string> encodePng(const Image& image, int level) {
  if (image.empty()) return badInput("a picture without pixels cannot be written");
  const std::string rows = filteredRows(image);
  uLongf size = compressBound(rows.size());
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                rows.size(), level) != Z_OK)
    return failed("the PNG cannot be compressed");
  packed.resize(size);
  std::string head;
  appendBig32(head, static_cast<std::uint32_t>(image.width));
  appendBig32(head, static_cast<std::uint32_t>(image.height));
  head.append(std::string_view("\x08\x02\0\0\0", 5));  // 8 bits, RGB, no interlace
  std::string out = "\x89PNG\r\n\x1a\n";
  appendChunk(out, "IHDR", head);
  appendChunk(out, "IDAT", packed);
  appendChunk(out, "IEND", "");
  return out;
}

}  // namespace roadtune::data
