// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/draft_store.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFileInfo>

namespace roadtune::studio {
namespace {

constexpr int kDraftFormat = 1;

std::string draftText(const QString& path, const Draft& draft) {
  const nlohmann::json all = {
      {"format", kDraftFormat}, {"path", path.toStdString()}, {"name", draft.name.toStdString()},
      {"base", draft.base},     {"made", draft.made},         {"text", draft.text}};
  return jsonText(all) + "\n";
}

// A file that cannot be read is no draft.
std::optional<Draft> draftFrom(const std::string& text, const QString& path) {
  const auto all = nlohmann::json::parse(text, nullptr, false);
  if (!all.is_object() || all.value("format", 0) != kDraftFormat) return {};
  for (const char* key : {"path", "name", "base", "text"})
    if (!all.contains(key) || !all[key].is_string()) return {};
  if (all["path"] != path.toStdString()) return {};
  const auto made = all.find("made");  // earlier versions kept none
  return Draft{QString::fromStdString(all["name"]), all["text"], all["base"],
               made != all.end() && made->is_string() ? made->get<std::string>() : std::string()};
}

}  // namespace

DraftStore::DraftStore(const QString& folder) : m_folder(folder) {}

DraftStore::~DraftStore() {
  QMetaObject::invokeMethod(
      m_writer.worker(), [] {}, Qt::BlockingQueuedConnection);  // after all that was posted
}

Status DraftStore::lastWrite() const {
  const std::lock_guard lock(m_mutex);
  return m_last;
}

void DraftStore::note(const Status& written) {
  {
    const std::lock_guard lock(m_mutex);
    m_last = written;
  }
  if (!written.ok()) emit failed(written.error());
}

QString DraftStore::fileOf(const QString& path) const {
  const std::string name = sha256Hex(path.toStdString()).substr(0, 32);
  return QDir(m_folder).filePath(QString::fromStdString(name) + QStringLiteral(".json"));
}

std::optional<Draft> DraftStore::find(const QString& path) const {
  if (const auto told = m_told.find(path); told != m_told.end()) return *told;
  const QString file = fileOf(path);
  if (!QFileInfo::exists(file)) return {};
  const auto text = readFile(file.toStdString());
  return text.ok() ? draftFrom(text.value(), path) : std::nullopt;
}

void DraftStore::put(const QString& path, const Draft& draft) {
  const auto told = find(path);
  const bool same = told && told->text == draft.text && told->base == draft.base && told->name == draft.name &&
                    told->made == draft.made;
  if (same && QFileInfo::exists(fileOf(path))) return;  // another window may have taken it away
  m_told[path] = draft;
  m_writer.post([this, file = fileOf(path), text = draftText(path, draft)] {
    const std::filesystem::path at = file.toStdString();
    const Status folder = makeFolders(at.parent_path());
    note(folder.ok() ? writeFileAtomically(at, text) : folder);
  });
}

void DraftStore::remove(const QString& path) {
  if (!find(path)) return;
  m_told[path] = std::nullopt;
  m_writer.post([this, file = fileOf(path)] {
    note({});
    std::error_code ignored;
    std::filesystem::remove(file.toStdString(), ignored);
  });
}

}  // namespace roadtune::studio
