// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/query_plan.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roadtune::data {

// What stands before a parenthesis, as any(...) and count(...).
inline const std::vector<std::pair<std::string_view, BoxTerm::Kind>> kTerms = {
    {"any", BoxTerm::Kind::Any},     {"all", BoxTerm::Kind::All},   {"none", BoxTerm::Kind::None},
    {"count", BoxTerm::Kind::Count}, {"min", BoxTerm::Kind::Min},   {"max", BoxTerm::Kind::Max},
    {"avg", BoxTerm::Kind::Mean},    {"mean", BoxTerm::Kind::Mean}, {"sum", BoxTerm::Kind::Sum}};

template <class F>
const FieldName<F>* fieldNamed(const std::vector<FieldName<F>>& fields, const std::string& name) {
  for (const auto& field : fields)
    if (field.name == name) return &field;
  return nullptr;
}

inline bool isTruth(BoxTerm::Kind kind) {
  return kind == BoxTerm::Kind::Any || kind == BoxTerm::Kind::All || kind == BoxTerm::Kind::None;
}

inline bool isAggregate(BoxTerm::Kind kind) { return !isTruth(kind) && kind != BoxTerm::Kind::Count; }

// What somebody who wrote `word` probably meant: of an image, of a box.
std::string nearestField(const std::string& word);
std::string nearestBoxField(const std::string& word, bool numbersOnly);
std::string nearestTerm(const std::string& word);

// What could stand where a value of the field is missing, or is none.
std::string exampleValue(std::string_view field, bool numeric);

}  // namespace roadtune::data
