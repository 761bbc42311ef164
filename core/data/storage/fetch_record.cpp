// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/storage/fetch_record.h"

#include "core/base/file_lock.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/file.h>

namespace roadtune::data {

namespace {

using nlohmann::json;

fs::path recordFile(const fs::path& cache, const Location& base, const char* extension) {
  const std::string name = customServer(base.kind) + "\n" + base.text();
  return cache / ".fetched" / (sha256Hex(name).substr(0, 32) + extension);
}

}  // namespace

FetchRecord FetchRecord::read(const fs::path& cache, const Location& base) {
  FetchRecord record;
  record.m_file = recordFile(cache, base, ".json");
  record.m_url = base.text();
  const auto text = readFile(record.m_file);
  if (!text.ok()) return record;
  const json value = json::parse(text.value(), nullptr, false);
  if (!value.is_object() || !value.contains("objects") || !value["objects"].is_object()) return record;
  for (const auto& [name, entry] : value["objects"].items())
    if (entry.is_object())
      record.entries[name] = {entry.value("bytes", std::uint64_t{0}), entry.value("modified", std::int64_t{0}),
                              entry.value("tag", std::string())};
  return record;
}

Status FetchRecord::write() const {
  json objects = json::object();
  for (const auto& [name, entry] : entries)
    objects[name] = {{"bytes", entry.bytes}, {"modified", entry.modified}, {"tag", entry.tag}};
  ROADTUNE_CHECK(makeFolders(m_file.parent_path()));
  const json value = {{"url", m_url}, {"objects", std::move(objects)}};
  return writeFileAtomically(m_file, jsonText(value, 1) + "\n");
}

FetchRecord::Match FetchRecord::compare(const StoredObject& object, const fs::path& file) const {
  const auto known = entries.find(object.name);
  std::error_code code;
  if (known == entries.end() || known->second.bytes != object.bytes) return Match::No;
  if (fs::file_size(file, code) != object.bytes || code) return Match::No;
  if (known->second.modified == object.modified) return Match::Same;
  return known->second.tag.empty() ? Match::No : Match::Perhaps;
}

Result<UniqueFd> lockSource(const fs::path& cache, const Location& base) {
  const fs::path file = recordFile(cache, base, ".lock");
  ROADTUNE_CHECK(makeFolders(file.parent_path()));
  ROADTUNE_TRY(auto lock, tryLock(file));
  if (!lock)
    return failed("another process is fetching this now", base.text(), "wait for it to end, or name another --cache");
  return std::move(*lock);
}

}  // namespace roadtune::data
