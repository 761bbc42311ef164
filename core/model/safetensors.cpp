// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/safetensors.h"

namespace roadtune::model {

Result<std::shared_ptr<const SafetensorsFile>> SafetensorsFile::open(const std::filesystem::path& path) {
  ROADTUNE_TRY(MappedFile map, MappedFile::open(path));
  ROADTUNE_TRY(SafetensorsHeader header, parseSafetensorsHeader(map.bytes(), map.size(), path.string()));
  std::shared_ptr<SafetensorsFile> file(new SafetensorsFile());
  file->m_path = path;
  file->m_map = std::move(map);
  file->m_headerBytes = header.headerBytes;
  file->m_tensors = std::move(header.tensors);
  file->m_metadata = std::move(header.metadata);
  for (std::size_t i = 0; i < file->m_tensors.size(); ++i) file->m_byName.emplace(file->m_tensors[i].name, i);
  return std::shared_ptr<const SafetensorsFile>(std::move(file));
}

const TensorView* SafetensorsFile::find(std::string_view name) const {
  const auto found = m_byName.find(std::string(name));
  return found == m_byName.end() ? nullptr : &m_tensors[found->second];
}

}  // namespace roadtune::model
