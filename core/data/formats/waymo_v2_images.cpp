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
  std::size_t timeless = 0;
  const Status read = file.forEach(columns, [&](const ParquetRows& rows) {
    const ParquetColumn& jpegs = rows[image];
    for (std::int64_t row = 0; row < rows.size(); ++row) {
      const auto time = rows[kKeyTime].integer(row);
      if (!time) {
        ++timeless;
        continue;
      }
      const std::string_view jpeg = jpegs.text(row);
      const WaymoV2Image entry{rows[kKeySegment].text(row),
                               *time,
                               cameraNumber(rows[kKeyCamera], row),
                               {reinterpret_cast<const std::uint8_t*>(jpeg.data()), jpeg.size()}};
      if (!visit(entry)) return false;
    }
    return true;
  });
  return read.ok() && timeless > 0 ? Status(withoutTime(timeless, path)) : read;
}

}  // namespace roadtune::data
