// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/index.h"
#include "core/data/index/user_data.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// The language (SURFACE.md):
//   split=training and camera in (front, front_left) and count(pedestrian)>=3 and any(cyclist, h<40) sort by min(h)
//   limit 9
// loss(RUN) is what an image cost a run when it saw it last: `loss("night-walkers") > 2 sort by loss("night-walkers")
// desc`. Values ignore case. An empty query is "everything".

// Where a query is wrong.
struct QueryError {
  std::size_t column = 0, length = 1;  // bytes, from 0
  std::string message;                 // "there is no field 'heigth'"
  std::string suggestion = {};         // "height"

  // Message, the query, and a caret line under the column.
  std::string text(std::string_view query) const;
};

// Raised by whoever no longer wants the answer.
class CancelToken {
 public:
  CancelToken() : m_flag(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() { m_flag->store(true, std::memory_order_relaxed); }
  bool cancelled() const { return m_flag->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> m_flag;
};

struct ImageLosses;
struct QueryPlan;

// A query that is well formed; immutable and cheap to copy.
class Query {
 public:
  static Result<Query> parse(std::string_view text);  // the error's text carries the caret line
  static Result<Query> parse(std::string_view text, QueryError& where);

  const std::string& text() const { return m_text; }
  bool asksForUserData() const;  // tags or notes, which QueryEngine::setUserData brings
  std::optional<std::size_t> limit() const;
  const QueryPlan& plan() const { return *m_plan; }

 private:
  std::string m_text;
  std::shared_ptr<const QueryPlan> m_plan;
};

struct QueryResult {
  std::size_t count = 0;        // exact, before the limit
  std::vector<ImageId> images;  // sorted as asked, else in index order; cut at the limit
};

struct FacetValue {
  std::string value;
  std::size_t count = 0;
  bool selected = false;  // the query narrows to it
};
struct Facet {
  std::string field;  // "split", "camera", "time", "location", "weather", "labelled", "class", "tag"
  std::vector<FacetValue> values;
};

// Bins of equal width from `low`; values outside go into the first and last bin.
struct Histogram {
  double low = 0, high = 0;
  std::vector<std::uint64_t> counts;
  std::uint64_t total = 0;
};

// What a histogram shows. Model* is in pixels of the square model image of side modelSize.
enum class Measure { BoxHeight, BoxWidth, BoxArea, BoxAspect, ModelHeight, ModelArea, BoxesPerImage };

// Answers questions about one index. Keeps a bitmap per predicate, so changing one part of a query costs that part.
// One engine per thread; answers are exact.
class QueryEngine {
 public:
  explicit QueryEngine(std::shared_ptr<const Index> index);
  ~QueryEngine();

  // Tags and notes as they are now; call again after a change.
  Status setUserData(const UserData& user);

  // Folders of runs by the names under which loss(NAME) finds them; loss("FOLDER") needs none.
  void setRuns(std::map<std::string, std::filesystem::path> runs);
  // What loss(RUN) stands for in the query, for whoever shows the numbers: of the order, else of the first condition.
  // Null where the query asks for none. As they were when the query was answered last.
  std::shared_ptr<const ImageLosses> losses(const Query& query) const;

  // badInput when a word of the query means nothing in this index (unknown class ...), cancelled() when asked.
  Result<QueryResult> run(const Query& query, const CancelToken& cancel = {});
  Result<std::size_t> count(const Query& query, const CancelToken& cancel = {});
  // For each facet, counts under all filters of the query but those on that facet itself.
  Result<std::vector<Facet>> facets(const Query& query, const CancelToken& cancel = {});
  // Over the boxes (or images) of the matching images.
  Result<Histogram> histogram(const Query& query, Measure measure, int bins, double low, double high,
                              int modelSize = 448, const CancelToken& cancel = {});

  // Do the words of the query mean something here? badInput with the place in `where` when not.
  Status check(const Query& query, QueryError& where) const;

  // Field names, classes, values known here that start like `typed`: for completion.
  std::vector<std::string> complete(std::string_view typed) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace roadtune::data
