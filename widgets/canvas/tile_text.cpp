// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/tile_text.h"

#include <QCoreApplication>

namespace roadtune::widgets {
namespace {
QString say(const char* text) { return QCoreApplication::translate("Tile", text); }
}  // namespace

QString cameraText(data::Camera camera) {
  switch (camera) {
    case data::Camera::Front: return say("Front");
    case data::Camera::FrontLeft: return say("Front left");
    case data::Camera::FrontRight: return say("Front right");
    case data::Camera::SideLeft: return say("Side left");
    case data::Camera::SideRight: return say("Side right");
    default: return say("Image");
  }
}

QString tileText(const data::Index& index, const data::ImageInfo& info) {
  if (info.camera == data::Camera::Unknown) {
    const auto name = index.segment(info.segment).imageName(info.row);
    return name.empty() ? say("Image %1").arg(info.id + 1)
                        : QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
  }
  return say("%1 · frame %2").arg(cameraText(info.camera)).arg(info.frame + 1);
}

QString boxCountText(const data::ImageInfo& info) {
  if (!info.labelled) return say("not labelled");
  return info.boxCount == 1 ? say("1 box") : say("%1 boxes").arg(info.boxCount);
}

}  // namespace roadtune::widgets
