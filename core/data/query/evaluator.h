// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/bitmap.h"
#include "core/data/query/box_bits.h"
#include "core/data/query/query.h"
#include "core/data/query/query_plan.h"
#include "core/data/query/recent.h"
#include "core/data/query/run_losses.h"
#include "core/data/query/scratch.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace roadtune::data {

// Turns conditions into bitmaps over the images of an index. Keeps what is costly: the bitmaps of leaves, the bits of
// single tests on boxes, and orders.
class Evaluator {
 public:
  explicit Evaluator(std::shared_ptr<const Index> index);

  const Index& index() const { return *m_index; }
  void setTags(std::map<std::string, std::vector<ImageId>> tags);  // names in lower case
  void setNotes(std::map<ImageId, std::string> notes);
  const std::map<std::string, std::vector<ImageId>>& tags() const { return m_tags; }

  void setRuns(std::map<std::string, std::filesystem::path> runs) { m_runLosses.setRuns(std::move(runs)); }
  std::shared_ptr<const ImageLosses> losses(const std::string& run) const { return m_runLosses.of(run); }

  // Does every word mean something in this index? Reads the ledgers of the runs that are asked for, where they changed.
  bool check(const QueryPlan& plan, QueryError& error);

  Result<Bitmap> evaluate(const QueryNode& node, const CancelToken& cancel);
  Result<const Bitmap*> leaf(const QueryNode& node, const CancelToken& cancel);  // valid until the next call
  // Images with a box of each class, by class number.
  Result<const std::vector<Bitmap>*> classImages(const CancelToken& cancel);

  // Every image in the order asked for (sort_images.h), kept for the next question.
  Result<std::shared_ptr<const std::vector<ImageId>>> order(const SortOrder& order, const CancelToken& cancel);
  bool knowsOrder(const SortOrder& order);

  // A number per image; not a number where no box meets the condition (Min, Max, Mean). Images that are not `wanted`
  // have any value.
  Result<Scratch<double>> termValues(const BoxTerm& term, const Bitmap& wanted, const CancelToken& cancel);

  // Calls `work` for every segment, on all processors. cancelled() when the token says so.
  Status forEachSegment(const CancelToken& cancel, const std::function<void(std::size_t)>& work) const;

 private:
  Result<Bitmap> makeLeaf(const QueryNode& node, const CancelToken& cancel);
  Result<Bitmap> imageLeaf(const QueryNode& node, const CancelToken& cancel);
  Bitmap cameraLeaf(const QueryNode& node) const;
  Result<Bitmap> boxLeaf(const QueryNode& node, const CancelToken& cancel);
  Bitmap tagLeaf(const QueryNode& node) const;
  Bitmap noteLeaf(const QueryNode& node) const;
  Bitmap lossLeaf(const QueryNode& node) const;
  bool checkNode(const QueryNode& node, QueryError& error) const;
  bool checkBoxes(const BoxExpr& expr, QueryError& error) const;
  bool checkWords(const QueryNode& node, QueryError& error) const;

  std::shared_ptr<const Index> m_index;
  std::map<std::string, std::vector<ImageId>> m_tags;
  std::map<ImageId, std::string> m_notes;
  RunLosses m_runLosses;
  BoxBits m_boxBits;
  Recent<Bitmap> m_leaves;
  Recent<std::shared_ptr<const std::vector<ImageId>>> m_orders;
  std::vector<Bitmap> m_classImages;
};

}  // namespace roadtune::data
