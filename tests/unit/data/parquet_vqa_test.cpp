// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/parquet_recordings.h"
#include "core/data/formats/vqa_parquet.h"
#include "core/data/source/sample_source.h"
#include "tests/unit/data/fake_recordings.h"
#include "tests/unit/data/parquet_files.h"

#include <gtest/gtest.h>

namespace roadtune::data {
namespace {

struct Row {
  std::string image, path, question, answer;
};

std::vector<Row> rowsOf(const std::string& name) {
  std::vector<Row> rows;
  const Status status = forEachVqaRow(ParquetFiles::folder() / name, [&](const VqaRow& row) {
    EXPECT_EQ(row.row, rows.size());
    rows.push_back({std::string(row.image.begin(), row.image.end()), std::string(row.imagePath),
                    row.question.value_or("(none)"), row.answer.value_or("(none)")});
    return true;
  });
  EXPECT_TRUE(status.ok()) << status.error().text();
  return rows;
}

TEST(VqaParquet, readsAStructOfBytesAndPath) {
  const auto rows = rowsOf("vqa_struct.parquet");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].image.substr(0, 2), "\xff\xd8");
  EXPECT_EQ(rows[1].path, "1.jpg");
  EXPECT_EQ(rows[1].question, "How many?");
  EXPECT_EQ(rows[2].answer, "because");
  EXPECT_TRUE(rows[2].image.empty() && rows[2].path.empty());
}

TEST(VqaParquet, readsPlainBytes) {
  const auto rows = rowsOf("vqa_binary.parquet");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_GT(rows[1].image.size(), 100U);
  EXPECT_EQ(rows[1].answer, "3");
}

TEST(VqaParquet, readsPaths) {
  for (const char* name : {"vqa_path.parquet", "vqa_dictionary.parquet"}) {
    const auto rows = rowsOf(name);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].path, "a.jpg");
    EXPECT_TRUE(rows[0].image.empty());
  }
}

TEST(VqaParquet, readsAnswersThatAreNumbers) {
  const auto answers = [](const std::string& name) {
    std::string all;
    for (const Row& row : rowsOf("answers/" + name)) all += row.answer + ";";
    return all;
  };
  EXPECT_EQ(answers("int.parquet"), "1;(none);3;");
  EXPECT_EQ(answers("float.parquet"), "1.5;2;(none);");
  EXPECT_EQ(answers("bool.parquet"), "true;(none);false;");
}

TEST(VqaParquet, rowsWithoutAQuestionAreLeftOutAndCounted) {
  const testing::TempFolder folder;
  std::vector<std::string> problems;
  ImportRequest request;
  request.sources = {ParquetFiles::folder() / "answers/unasked.parquet"};
  request.out = folder / "index";
  request.onProblem = [&](const Problem& problem) { problems.push_back(problem.line()); };
  QuietProgress quiet;
  ASSERT_TRUE(importInto(request, allReaders(), quiet).ok());
  EXPECT_EQ(Index::open(folder / "index").value()->imageCount(), 2U);
  EXPECT_NE(problems.back().find("1 row has no question"), std::string::npos) << problems.back();
}

TEST(VqaParquet, importNamesWhatIsMissingOrDamaged) {
  const testing::TempFolder folder;
  std::vector<std::string> problems;
  ImportRequest request;
  request.sources = {ParquetFiles::folder() / "answers/float.parquet"};
  request.out = folder / "index";
  request.onProblem = [&](const Problem& problem) { problems.push_back(problem.line()); };
  QuietProgress quiet;
  ASSERT_TRUE(importInto(request, allReaders(), quiet).ok());
  EXPECT_EQ(Index::open(folder / "index").value()->imageCount(), 2U);
  ASSERT_EQ(problems.size(), 3U);  // the pictures of the test are none either
  EXPECT_NE(problems[1].find("the picture of row 1 cannot be read"), std::string::npos) << problems[1];
  EXPECT_NE(problems[2].find("1 row has no answer"), std::string::npos) << problems[2];
}

TEST(VqaParquet, shardsOfOneNameAreAllImported) {
  const testing::TempFolder folder;
  ImportRequest request;
  request.sources = {ParquetFiles::folder() / "shards"};
  request.out = folder / "index";
  QuietProgress quiet;
  EXPECT_EQ(importInto(request, allReaders(), quiet).value().imported, 2U);
  const auto index = Index::open(folder / "index").value();
  EXPECT_TRUE(index->findSegment("0000") && index->findSegment("valid/0000"));
}

TEST(VqaParquet, whatStandsBeforeAQuestionMayBeGiven) {
  const testing::TempFolder folder;
  ImportRequest request;
  request.sources = {ParquetFiles::folder() / "vqa_struct.parquet"};
  request.out = folder / "index";
  QuietProgress quiet;
  ASSERT_TRUE(importInto(request, allReaders(), quiet).ok());
  const auto prefix = [&](const std::string& prompt) {
    TaskTemplate task;
    task.task = "vqa";
    task.prompt = prompt;
    return openSource({.path = request.out.string()}, task).value()->get(0).value().prefix;
  };
  const std::string usual = prefix("");
  ASSERT_TRUE(usual.starts_with("answer en ")) << usual;
  const std::string question = usual.substr(10);
  EXPECT_EQ(prefix("answer"), "answer " + question);
  EXPECT_EQ(prefix("answer "), "answer " + question);
  EXPECT_EQ(prefix("frage:\n"), "frage:\n" + question);
}

TEST(VqaParquet, stopsWhenTold) {
  int seen = 0;
  EXPECT_TRUE(
      forEachVqaRow(ParquetFiles::folder() / "vqa_struct.parquet", [&](const VqaRow&) { return ++seen < 1; }).ok());
  EXPECT_EQ(seen, 1);
}

TEST(VqaParquet, knowsItsOwnFiles) {
  EXPECT_TRUE(isVqaParquet(ParquetFiles::folder() / "vqa_path.parquet").value());
  EXPECT_FALSE(isVqaParquet(ParquetFiles::folder() / "no_vqa.parquet").value());
  EXPECT_FALSE(isVqaParquet(ParquetFiles::folder() / "absent.parquet").ok());
  const Status status = forEachVqaRow(ParquetFiles::folder() / "no_vqa.parquet", [](const VqaRow&) { return true; });
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().what.find("image, question"), std::string::npos);
}

}  // namespace
}  // namespace roadtune::data
