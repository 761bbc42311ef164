// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/written_files.h"

#include "core/base/text.h"

namespace roadtune::data {

Status replaceFile(const fs::path& file, std::string_view content) {
  std::error_code code;
  fs::path aside = file;
  aside += ".partial";
  fs::remove(aside, code);
  const auto put = [&]() -> Status {
    ROADTUNE_TRY(AppendFile out, AppendFile::open(aside));
    return out.append(content);
  };
  Status done = put();
  if (done.ok()) fs::rename(aside, file, code);  // another file may share the content of the one that goes
  if (done.ok() && code) done = systemError(code.value(), "cannot be put there", file.string());
  if (!done.ok()) fs::remove(aside, code);
  return done;
}

Result<std::unique_ptr<WrittenFiles>> WrittenFiles::open(const fs::path& folder, std::set<fs::path> sources) {
  std::unique_ptr<WrittenFiles> files(new WrittenFiles(fs::absolute(folder).lexically_normal(), std::move(sources)));
  std::error_code code;
  if (!fs::exists(files->list(), code)) return files;
  ROADTUNE_TRY(const std::string text, readFile(files->list()));
  for (const std::string& name : split(text, '\n'))
    if (!name.empty()) files->m_before.insert(name);
  return files;
}

// Listed first: whatever happens, the next export knows of it.
Status WrittenFiles::note(const fs::path& file) {
  const std::string name = file.lexically_relative(m_folder).string();
  if (!m_mine.insert(name).second) return {};
  if (m_places.insert(file.parent_path()).second) ROADTUNE_CHECK(makeFolders(file.parent_path()));
  std::error_code code;
  if (m_before.contains(name)) return {};
  if (fs::exists(file, code)) return m_mine.erase(name), Status();
  if (!m_list) {
    ROADTUNE_CHECK(makeFolders(m_folder));
    ROADTUNE_TRY(m_list, AppendFile::open(list()));
  }
  return m_list->append(name + "\n");
}

Status WrittenFiles::write(const fs::path& file, std::string_view content) {
  const fs::path path = fs::absolute(file).lexically_normal();
  if (isSource(path)) return badInput("is a file that the index was made from", path.string(), "another --out");
  ROADTUNE_CHECK(note(path));
  return replaceFile(path, content);
}

void WrittenFiles::keep(const fs::path& file) {
  const std::string name = fs::absolute(file).lexically_normal().lexically_relative(m_folder).string();
  if (m_before.contains(name)) m_mine.insert(name);
}

bool WrittenFiles::isSource(const fs::path& path) const {
  std::error_code code;
  return m_sources.contains(path) || m_sources.contains(fs::weakly_canonical(path, code)) ||
         m_sources.contains(fs::weakly_canonical(path.parent_path(), code) / path.filename());
}

bool WrittenFiles::mayRemove(const fs::path& file) const {
  if (isSource(file)) return false;
  const std::string here = (m_folder / "").string();
  return file.string().starts_with(here) || m_places.contains(file.parent_path());
}

Status WrittenFiles::finish() {
  std::string text;
  for (const std::string& name : m_mine) text += name + "\n";
  for (const std::string& name : m_before) {
    if (m_mine.contains(name)) continue;
    const fs::path file = (m_folder / name).lexically_normal();
    std::error_code code;
    if (mayRemove(file)) fs::remove(file, code);
  }
  m_list.reset();
  return writeFileAtomically(list(), text);
}

}  // namespace roadtune::data
