// SPDX-License-Identifier: GPL-3.0-or-later
// Do the words of a query mean something in this index?
#include "core/base/text.h"
#include "core/data/query/evaluator.h"
#include "core/data/query/values.h"

#include <algorithm>
#include <set>

namespace roadtune::data {

namespace {

bool complain(QueryError& error, const Place& place, std::string message, std::string suggestion) {
  error = {place.column, place.length, std::move(message), std::move(suggestion)};
  return false;
}

// Words that Waymo's data uses, whether they occur here or not.
std::set<std::string> usualWords(ImageField field) {
  switch (field) {
    case ImageField::Split: return {"training", "validation", "testing"};
    case ImageField::Time: return {"Day", "Night", "Dawn/Dusk"};
    case ImageField::Weather: return {"sunny", "rain"};
    case ImageField::Location: return {"location_sf", "location_phx", "location_other"};
    default: return {};
  }
}

std::string wordOf(const SegmentInfo& info, ImageField field) {
  switch (field) {
    case ImageField::Split: return info.split;
    case ImageField::Time: return info.time;
    case ImageField::Location: return info.location;
    case ImageField::Weather: return info.weather;
    default: return {};
  }
}

std::string withoutPercent(const Operand& value) { return value.typed.substr(0, value.typed.size() - 1); }

// A word one or two slips away from a known one is a typing mistake; any other unknown word just matches nothing.
std::string slipOf(const std::string& typed, const std::set<std::string>& known) {
  constexpr std::size_t kShortest = 4;
  for (const std::string& word : known)
    if (typed.size() >= kShortest && editDistance(typed, lower(word)) <= (typed.size() > 5 ? 2u : 1u)) return word;
  return {};
}

}  // namespace

bool Evaluator::check(const QueryPlan& plan, QueryError& error) {
  bool changed = false;
  if (!m_runLosses.prepare(*m_index, plan, error, changed)) return false;
  if (changed) {
    m_leaves.clear();
    m_orders.clear();
  }
  if (!checkNode(*plan.where, error)) return false;
  return !plan.sort || !plan.sort->byTerm || checkBoxes(*plan.sort->term.boxes, error);
}

bool Evaluator::checkNode(const QueryNode& node, QueryError& error) const {
  if (node.kind == QueryNode::Kind::Image) return checkWords(node, error);
  if (node.kind == QueryNode::Kind::Boxes) {
    for (const Operand& value : node.values)
      if (value.percent)
        return complain(error, value.place, "percent only fits x, y, w, h and area", withoutPercent(value));
    return checkBoxes(*node.term.boxes, error);
  }
  return std::all_of(node.children.begin(), node.children.end(),
                     [&](const auto& child) { return checkNode(*child, error); });
}

bool Evaluator::checkBoxes(const BoxExpr& expr, QueryError& error) const {
  for (const auto& child : expr.children)
    if (!checkBoxes(*child, error)) return false;
  if (expr.kind != BoxExpr::Kind::Test) return true;
  for (const Operand& value : expr.values) {
    const bool side = expr.field == BoxField::X || expr.field == BoxField::Y || expr.field == BoxField::W ||
                      expr.field == BoxField::H || expr.field == BoxField::Area;
    if (value.percent && !side)
      return complain(error, value.place, "percent only fits x, y, w, h and area", withoutPercent(value));
    const bool ordered =
        expr.compare != Compare::Equal && expr.compare != Compare::NotEqual && expr.compare != Compare::In;
    if (expr.field == BoxField::Level && !ordered && value.number && *value.number != 1 && *value.number != 2)
      return complain(error, value.place, "'" + value.typed + "' is no level; there are 1 and 2", "2");
    if (expr.field == BoxField::Truncated && !parseTruth(value.text))
      return complain(error, value.place, "'" + value.typed + "' is neither true nor false", "true");
    if (expr.field != BoxField::Class || value.text.find('*') != std::string::npos) continue;
    if (m_index->findClass(value.text)) continue;
    std::vector<std::string> words = m_index->classNames();
    words.emplace_back("truncated");
    const std::string near = nearestWord(value.text, words);
    return complain(error, value.place, "there is no class '" + value.typed + "'",
                    near.empty() ? join(m_index->classNames(), ", ") : near);
  }
  return true;
}

bool Evaluator::checkWords(const QueryNode& node, QueryError& error) const {
  std::set<std::string> known = usualWords(node.field);
  if (!known.empty())
    for (std::size_t i = 0; i < m_index->segmentCount(); ++i)
      known.insert(wordOf(m_index->segment(i).info(), node.field));
  for (const Operand& value : node.values) {
    if (value.percent)
      return complain(error, value.place, "percent only fits boxes: x, y, w, h and area", withoutPercent(value));
    if (node.field == ImageField::Labelled && !parseTruth(value.text))
      return complain(error, value.place, "'" + value.typed + "' is neither true nor false", "true");
    const bool wild = value.text.find('*') != std::string::npos;
    const bool noRig = lower(cameraName(Camera::Unknown)) == value.text;
    if (node.field == ImageField::Camera && !wild && !noRig && !cameraFromName(value.text)) {
      std::vector<std::string> names;
      for (const Camera camera : kIndexedCameras) names.push_back(lower(cameraName(camera)));
      const std::string near = nearestWord(value.text, names);
      return complain(error, value.place, "there is no camera '" + value.typed + "'",
                      near.empty() ? join(names, ", ") : near);
    }
    if (known.empty() || wild) continue;
    const bool met = std::any_of(known.begin(), known.end(),
                                 [&](const std::string& word) { return wordMatches(node.field, word, value.text); });
    const std::string slip = met ? std::string() : slipOf(value.text, known);
    if (!slip.empty()) return complain(error, value.place, "nothing here is called '" + value.typed + "'", slip);
  }
  return true;
}

}  // namespace roadtune::data
