// SPDX-License-Identifier: GPL-3.0-or-later
// What predict, merge and quantize refuse before they load a model: none of these has one.
#include "core/engine/merge.h"
#include "core/engine/predict.h"
#include "core/engine/quantize.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace roadtune::engine {
namespace {

TEST(Tools, APlaceThatCannotBeWrittenToIsSaidBeforeTheWork) {
  const testing::TempFolder folder;
  folder.write("file", "mine");
  folder.write("full/keep.txt", "mine");
  folder.write("model/config.json", "{}");
  for (const auto& [name, said] :
       std::vector<std::pair<std::string, std::string>>{{"file", "is a file, not a folder"},
                                                        {"full", "the folder is not empty"},
                                                        {"model", "the folder already holds a model"}}) {
    const auto out = folder / name;
    for (const auto& error : {merge({.model = "nowhere", .adapter = "nowhere", .out = out}).error(),
                              quantize({.model = "nowhere", .out = out}).error()}) {
      EXPECT_EQ(error.what, said);
      EXPECT_EQ(error.where, out.string());
      EXPECT_EQ(error.kind, ErrorKind::BadInput);
    }
  }
}

TEST(Tools, PredictLooksAtItsNumbersAndItsPlaceFirst) {
  const testing::TempFolder folder;
  folder.write("folder/keep.txt", "mine");
  const auto refusal = [&](PredictRequest request) {
    request.model = request.data = "nowhere";
    if (request.out.empty()) request.out = folder / "results.json";
    const auto progress = makeProgressSink(ProgressStyle::None);
    const auto report = predict(request, *progress);
    EXPECT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, ErrorKind::BadInput);
    return report.error().text();
  };
  EXPECT_EQ(refusal({.limit = -1}), "--limit: must be at least 0 (try: 0 takes all)");
  EXPECT_EQ(refusal({.workers = -1}), "--workers: must be from 0 to 1024");
  EXPECT_EQ(refusal({.workers = 100'000}), "--workers: must be from 0 to 1024");
  EXPECT_EQ(refusal({.batch = 0}), "--batch-size: must be at least 1");
  EXPECT_NE(refusal({.out = folder / "folder"}).find("is a folder"), std::string::npos);
  EXPECT_NE(refusal({.out = folder / "none/results.json"}).find("there is no such folder"), std::string::npos);
}

}  // namespace
}  // namespace roadtune::engine
