// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/waymo_v2.h"
#include "core/data/formats/waymo_v2_columns.h"

namespace roadtune::data {

Status forEachWaymoV2Image(const std::filesystem::path& path, const std::function<bool(const WaymoV2Image&)>& visit) {
  ROADTUNE_TRY(const auto file, ParquetFile::open(path));
  const std::string image = kImage + ".image";
  const std::vector<std::string> columns = {kKeySegment, kKeyTime, kKeyCamera, image};
  for (const std::string& name : {kKeyTime, kKeyCamera, image})
    if (!file.hasColumn(name))
      return badInput("has no column '" + name + "'", path.string(), "is it a camera_image file?");
  return file.forEach(columns, [&](const ParquetRows& rows) {
    const ParquetColumn& jpegs = rows[image];
    for (std::int64_t row = 0; row < rows.size(); ++row) {
      const std::string_view jpeg = jpegs.text(row);
      const WaymoV2Image entry{rows[kKeySegment].text(row),
                               rows[kKeyTime].integer(row).value_or(0),
                               cameraNumber(rows[kKeyCamera], row),
                               {reinterpret_cast<const std::uint8_t*>(jpeg.data()), jpeg.size()}};
      if (!visit(entry)) return false;
    }
    return true;
  });
}

}  // namespace roadtune::data
