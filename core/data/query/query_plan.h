// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

enum class ImageField {
  Segment,
  Timestamp,
  Frame,
  Camera,
  Split,
  Time,
  Location,
  Weather,
  Width,
  Height,
  BoxCount,
  Labelled,
  Tag,
  Note,
  Loss
};
enum class BoxField { Class, X, Y, W, H, Area, Aspect, Level, Track, Truncated };
enum class Compare { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, In };

template <class F>
struct FieldName {
  F field;
  std::string_view name;
  bool numeric;
};
const std::vector<FieldName<ImageField>>& imageFields();
const std::vector<FieldName<BoxField>>& boxFields();

// A stretch of the query's text.
struct Place {
  std::size_t column = 0, length = 1;
};

struct Operand {
  std::string text;  // lower case
  std::optional<double> number = {};
  bool percent = false;  // of the image's width or height
  Place place = {};
  std::string typed = {};  // as the user spelt it
};

// A condition on one box.
struct BoxExpr {
  enum class Kind { True, And, Or, Not, Test };
  Kind kind = Kind::True;
  std::vector<std::shared_ptr<const BoxExpr>> children = {};
  BoxField field = BoxField::Class;
  Compare compare = Compare::Equal;
  std::vector<Operand> values = {};
  Place place = {};
};

// Over the boxes of an image that meet `boxes`.
struct BoxTerm {
  enum class Kind { Any, All, None, Count, Min, Max, Mean, Sum };
  Kind kind = Kind::Any;
  BoxField field = BoxField::H;  // of Min, Max, Mean, Sum
  std::shared_ptr<const BoxExpr> boxes = {};
};

// A condition on one image.
struct QueryNode {
  enum class Kind { Everything, And, Or, Not, Image, Boxes };
  Kind kind = Kind::Everything;
  std::vector<std::shared_ptr<const QueryNode>> children = {};
  ImageField field = ImageField::Segment;  // Image
  BoxTerm term = {};                       // Boxes
  std::string run = {};                    // of Loss: its name, or its folder
  Compare compare = Compare::Equal;
  std::vector<Operand> values = {};
  Place place = {};
  std::string key = {};  // the words of a leaf: equal keys mean equal answers
};

struct SortOrder {
  bool byTerm = false;
  ImageField field = ImageField::Segment;
  BoxTerm term = {};
  std::string run = {};  // of Loss
  Place place = {};
  bool descending = false;
};

struct QueryPlan {
  std::shared_ptr<const QueryNode> where;
  std::optional<SortOrder> sort;
  std::optional<std::size_t> limit;
};

}  // namespace roadtune::data
