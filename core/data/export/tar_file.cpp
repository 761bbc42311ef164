// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/tar_file.h"

#include <fmt/format.h>

#include <cstring>
#include <unistd.h>
#include <utility>

namespace roadtune::data {

namespace {

constexpr std::size_t kTarBlock = 512, kTarPiece = 4 << 20;

std::string tarHeader(const std::string& name, std::size_t size) {
  std::string block(kTarBlock, '\0');
  const auto set = [&](std::size_t at, std::string_view text) {
    std::memcpy(block.data() + at, text.data(), text.size());
  };
  set(0, name);
  set(100, "0000644");
  set(108, "0000000");
  set(116, "0000000");
  set(124, fmt::format("{:011o}", size));
  set(136, "00000000000");
  set(148, "        ");  // the checksum counts as blanks
  set(156, "0");
  set(257, std::string_view("ustar\0"
                            "00",
                            8));
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  set(148, fmt::format("{:06o}", sum));
  block[154] = '\0';
  return block;
}

std::string tarPadding(std::size_t size) { return std::string((kTarBlock - size % kTarBlock) % kTarBlock, '\0'); }

}  // namespace

Result<TarFile> TarFile::create(const fs::path& path) {
  fs::path aside = path;
  aside += ".part";
  std::error_code code;
  fs::remove(aside, code);
  ROADTUNE_TRY(AppendFile file, AppendFile::open(aside));
  return TarFile(path, std::move(aside), std::move(file));
}

TarFile::TarFile(TarFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_aside(std::exchange(other.m_aside, {})),
      m_file(std::move(other.m_file)),
      m_buffer(std::move(other.m_buffer)),
      m_finished(other.m_finished) {}

TarFile::~TarFile() {
  if (!m_finished && !m_aside.empty()) ::unlink(m_aside.c_str());
}

Status TarFile::put(std::string_view bytes) {
  m_buffer += bytes;
  return m_buffer.size() < kTarPiece ? Status() : flush();
}

Status TarFile::flush() {
  ROADTUNE_CHECK(m_file.append(m_buffer));
  m_buffer.clear();
  return {};
}

Result<std::uint64_t> TarFile::add(const std::string& name, std::string_view content) {
  constexpr std::size_t kLongestName = 99;
  if (name.size() > kLongestName) return badInput("the name is too long for a tar file", name);
  ROADTUNE_CHECK(put(tarHeader(name, content.size())));
  const std::uint64_t at = size();
  ROADTUNE_CHECK(put(content));
  ROADTUNE_CHECK(put(tarPadding(content.size())));
  return at;
}

Status TarFile::finish() {
  ROADTUNE_CHECK(put(std::string(2 * kTarBlock, '\0')));
  ROADTUNE_CHECK(flush());
  ROADTUNE_CHECK(m_file.sync());
  std::error_code code;
  fs::rename(m_aside, m_path, code);
  if (code) return systemError(code.value(), "cannot rename to", m_path.string());
  m_finished = true;
  return {};
}

}  // namespace roadtune::data
