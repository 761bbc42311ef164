// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/bitmap.h"
#include "core/data/query/query.h"
#include "core/data/query/query_plan.h"

#include <functional>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace roadtune::data {

// Turns conditions into bitmaps over the images of an index and keeps the bitmaps of leaves.
class Evaluator {
 public:
  explicit Evaluator(std::shared_ptr<const Index> index) : m_index(std::move(index)) {}

  const Index& index() const { return *m_index; }
  void setTags(std::map<std::string, std::vector<ImageId>> tags);  // names in lower case
  void setNotes(std::map<ImageId, std::string> notes);
  const std::map<std::string, std::vector<ImageId>>& tags() const { return m_tags; }

  // Does every word mean something in this index?
  bool check(const QueryPlan& plan, QueryError& error) const;

  Result<Bitmap> evaluate(const QueryNode& node, const CancelToken& cancel);
  Result<const Bitmap*> leaf(const QueryNode& node, const CancelToken& cancel);  // valid until the next call

  // A number per image; not a number where no box meets the condition (Min, Max, Mean).
  Result<std::vector<double>> termValues(const BoxTerm& term, const CancelToken& cancel);

  // Calls `work` for every segment, on all processors. cancelled() when the token says so.
  Status forEachSegment(const CancelToken& cancel, const std::function<void(std::size_t)>& work) const;

 private:
  Result<Bitmap> makeLeaf(const QueryNode& node, const CancelToken& cancel);
  Result<Bitmap> imageLeaf(const QueryNode& node, const CancelToken& cancel);
  Result<Bitmap> boxLeaf(const QueryNode& node, const CancelToken& cancel);
  Bitmap tagLeaf(const QueryNode& node) const;
  Bitmap noteLeaf(const QueryNode& node) const;
  bool checkNode(const QueryNode& node, QueryError& error) const;
  bool checkBoxes(const BoxExpr& expr, QueryError& error) const;
  bool checkWords(const QueryNode& node, QueryError& error) const;

  std::shared_ptr<const Index> m_index;
  std::map<std::string, std::vector<ImageId>> m_tags;
  std::map<ImageId, std::string> m_notes;
  std::list<std::pair<std::string, Bitmap>> m_recent;  // most recent first
  std::unordered_map<std::string, std::list<std::pair<std::string, Bitmap>>::iterator> m_byKey;
};

}  // namespace roadtune::data
