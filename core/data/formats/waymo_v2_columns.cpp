// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/waymo_v2_columns.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace roadtune::data {

Error withoutTime(std::size_t rows, const std::filesystem::path& file) {
  return badInput(fmt::format("{} no number for '{}'", counted(rows, "row has", "rows have"), kKeyTime), file.string());
}

int cameraNumber(const ParquetColumn& column, std::int64_t row) {
  if (!column.holdsText()) return static_cast<int>(column.integer(row).value_or(0));
  const std::string_view name = column.text(row);
  if (const auto camera = cameraFromName(name)) return static_cast<int>(*camera);
  return name.size() == 1 && name[0] >= '0' && name[0] <= '9' ? name[0] - '0' : 0;
}

int labelNumber(const ParquetColumn& column, std::int64_t row) {
  if (!column.holdsText()) return static_cast<int>(column.integer(row).value_or(0));
  std::string name = lower(column.text(row));
  if (startsWith(name, "type_")) name.erase(0, 5);
  return static_cast<int>(labelTypeFromName(name).value_or(LabelType::Unknown));
}

}  // namespace roadtune::data
