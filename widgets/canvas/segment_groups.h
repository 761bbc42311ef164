// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QRect>

#include <memory>
#include <vector>

class QPainter;

namespace roadtune::widgets {

using ImageList = std::shared_ptr<const std::vector<data::ImageId>>;

// Images with those of one segment together: segments in the order of their first image, images as they were.
struct SegmentGroups {
  ImageList images;
  std::vector<std::size_t> starts;  // the first image of each segment
};

SegmentGroups groupBySegment(const data::Index& index, const std::vector<data::ImageId>& images);

// What stands above the images of a segment: its name, what holds for all of it, and how many of them are listed.
void paintSegmentHeader(QPainter& painter, const data::SegmentInfo& segment, std::size_t images, const QRect& area);

}  // namespace roadtune::widgets
