// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/output_file.h"

#include <unistd.h>
#include <utility>

namespace roadtune::data {

namespace {
constexpr std::size_t kPiece = 1 << 20;
}

OutputFile::OutputFile(fs::path path, fs::path aside, AppendFile file)
    : m_path(std::move(path)), m_aside(std::move(aside)), m_file(std::move(file)) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_aside(std::exchange(other.m_aside, {})),
      m_file(std::exchange(other.m_file, std::nullopt)),
      m_buffer(std::move(other.m_buffer)) {}

OutputFile::~OutputFile() {
  m_file.reset();
  if (!m_aside.empty()) ::unlink(m_aside.c_str());
}

Result<OutputFile> OutputFile::create(const fs::path& named) {
  if (named.has_parent_path()) ROADTUNE_CHECK(makeFolders(named.parent_path()));
  ROADTUNE_TRY(const fs::path path, replaceableFile(named));
  std::error_code code;
  fs::path aside = path;
  aside += ".part-" + std::to_string(::getpid());
  fs::remove(aside, code);
  ROADTUNE_TRY(AppendFile file, AppendFile::open(aside));
  return OutputFile(path, std::move(aside), std::move(file));
}

Status OutputFile::write(std::string_view text) {
  m_buffer += text;
  if (m_buffer.size() < kPiece) return {};
  ROADTUNE_CHECK(m_file->append(m_buffer));
  m_buffer.clear();
  return {};
}

Status OutputFile::finish() {
  ROADTUNE_CHECK(m_file->append(m_buffer));
  ROADTUNE_CHECK(m_file->sync());
  m_file.reset();
  std::error_code code;
  fs::rename(m_aside, m_path, code);
  if (code) return systemError(code.value(), "cannot rename to", m_path.string());
  m_aside.clear();
  return {};
}

}  // namespace roadtune::data
