// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QString>

namespace roadtune::widgets {

QString cameraText(data::Camera camera);                                  // "Front left"
QString tileText(const data::Index& index, const data::ImageInfo& info);  // "Front · frame 12", or the file's name
bool isFilmed(const data::ImageInfo& info);  // one of a recording; else a picture of a collection, which has no time
bool isDated(const data::ImageInfo& info);   // its time is one of a calendar, and no counter
bool hasWords(const data::Index& index, const data::ImageInfo& info);      // a question, or its answer
QString labelText(const data::Index& index, const data::ImageInfo& info);  // "12 boxes", "not labelled", or the answer

}  // namespace roadtune::widgets
