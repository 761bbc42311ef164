// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/tile_text.h"

#include <QCoreApplication>

namespace roadtune::widgets {
namespace {
struct TileWords {
  Q_DECLARE_TR_FUNCTIONS(Tile)
};
}  // namespace

QString cameraText(data::Camera camera) {
  switch (camera) {
    case data::Camera::Front: return TileWords::tr("Front");
    case data::Camera::FrontLeft: return TileWords::tr("Front left");
    case data::Camera::FrontRight: return TileWords::tr("Front right");
    case data::Camera::SideLeft: return TileWords::tr("Side left");
    case data::Camera::SideRight: return TileWords::tr("Side right");
    default: return TileWords::tr("Image");
  }
}

QString tileText(const data::Index& index, const data::ImageInfo& info) {
  if (info.camera == data::Camera::Unknown) {
    const auto name = index.segment(info.segment).imageName(info.row);
    return name.empty() ? TileWords::tr("Image %1").arg(info.id + 1)
                        : QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
  }
  return TileWords::tr("%1 · frame %2").arg(cameraText(info.camera)).arg(info.frame + 1);
}

bool isDated(const data::ImageInfo& info) { return info.timestamp > 1'000'000'000'000'000; }  // microseconds since 1970

bool isFilmed(const data::ImageInfo& info) { return info.camera != data::Camera::Unknown || isDated(info); }

bool hasWords(const data::Index& index, const data::ImageInfo& info) {
  const data::Segment& segment = index.segment(info.segment);
  return !segment.prefix(info.row).empty() || !segment.suffix(info.row).empty();
}

QString labelText(const data::Index& index, const data::ImageInfo& info) {
  if (hasWords(index, info) && info.boxCount == 0) {
    const std::string_view answer = index.segment(info.segment).suffix(info.row);
    return answer.empty() ? TileWords::tr("no answer")
                          : QString::fromUtf8(answer.data(), static_cast<qsizetype>(answer.size())).simplified();
  }
  if (!info.labelled) return TileWords::tr("not labelled");
  return info.boxCount == 1 ? TileWords::tr("1 box") : TileWords::tr("%1 boxes").arg(info.boxCount);
}

}  // namespace roadtune::widgets
