// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/query_plan.h"

namespace roadtune::data {

const std::vector<FieldName<ImageField>>& imageFields() {
  static const std::vector<FieldName<ImageField>> fields = {
      {ImageField::Segment, "segment", false},   {ImageField::Timestamp, "timestamp", true},
      {ImageField::Frame, "frame", true},        {ImageField::Camera, "camera", false},
      {ImageField::Split, "split", false},       {ImageField::Time, "time", false},
      {ImageField::Location, "location", false}, {ImageField::Weather, "weather", false},
      {ImageField::Width, "width", true},        {ImageField::Height, "height", true},
      {ImageField::BoxCount, "n", true},         {ImageField::Labelled, "labelled", false},
      {ImageField::Tag, "tag", false},           {ImageField::Note, "note", false}};
  return fields;
}

const std::vector<FieldName<BoxField>>& boxFields() {
  static const std::vector<FieldName<BoxField>> fields = {
      {BoxField::Class, "class", false},  {BoxField::X, "x", true},
      {BoxField::Y, "y", true},           {BoxField::W, "w", true},
      {BoxField::H, "h", true},           {BoxField::Area, "area", true},
      {BoxField::Aspect, "aspect", true}, {BoxField::Level, "level", true},
      {BoxField::Track, "track", false},  {BoxField::Truncated, "truncated", false}};
  return fields;
}

}  // namespace roadtune::data
