// SPDX-License-Identifier: GPL-3.0-or-later
// The filter language, from text to answer: a query is refused with a place inside its text, or answered exactly.
#include "core/data/index/synth_index.h"
#include "core/data/query/query.h"
#include "tests/fuzz/fuzz_file.h"
#include "tests/support/temp_folder.h"

#include <string_view>

using namespace roadtune;
using fuzz::require;

namespace {

std::shared_ptr<const data::Index> smallIndex() {
  const testing::TempFolder folder;
  const auto silent = makeProgressSink(ProgressStyle::None);
  data::SynthIndexOptions options{.out = folder / "index", .images = 600, .boxes = 5000, .seed = 7, .jobs = 1};
  require(data::writeSynthIndex(options, *silent).ok());
  auto index = data::Index::open(options.out);
  require(index.ok());
  return index.value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto index = smallIndex();
  if (size > 2000) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  data::QueryError where;
  const auto query = data::Query::parse(text, where);
  if (!query.ok()) {
    require(where.column <= size && !where.message.empty() && !where.text(text).empty());
    return 0;
  }
  data::QueryEngine engine(index);
  if (!engine.check(query.value(), where).ok()) {
    require(where.column <= size && !where.text(text).empty());
    require(!engine.run(query.value()).ok());
    return 0;
  }
  const auto answer = engine.run(query.value());
  require(answer.ok());
  require(answer.value().count <= index->imageCount() && answer.value().images.size() <= answer.value().count);
  const auto again = engine.count(query.value());
  require(again.ok() && again.value() == answer.value().count);
  require(engine.facets(query.value()).ok());
  return 0;
}
