// SPDX-License-Identifier: GPL-3.0-or-later
// Packs: an index whose pictures are ready for training and lie in few large files.
#include "core/data/export/pack.h"

#include "core/base/files.h"
#include "core/data/export/export.h"
#include "core/data/image/decode.h"
#include "core/data/image/resize.h"
#include "core/data/index/import.h"
#include "core/data/query/query.h"
#include "core/data/source/sample_source.h"
#include "core/data/synth/generate.h"
#include "core/data/synth/waymo_v1_sink.h"
#include "tests/support/program.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>

#include <fstream>

namespace roadtune::data {
namespace {

class Packs : public ::testing::Test {
 protected:
  void SetUp() override {
    auto sink = makeWaymoV1Sink(folder / "scenes");

    SynthOptions options;
    options.segments = 2;
    options.frames = 3;
    options.scale = 0.1;
    options.seed = 7;
    ASSERT_TRUE(generateSynth(options, *sink, quiet).ok());
    ImportRequest import;
    import.sources = {folder / "scenes"};
    import.out = folder / "index";
    ASSERT_TRUE(importInto(import, basicReaders(), quiet).ok());
    index = open("index");
  }

  std::shared_ptr<const Index> open(const std::string& name) const {
    auto opened = Index::open(folder / name);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().text());
    return opened.ok() ? opened.value() : nullptr;
  }

  std::vector<ImageId> all() const {
    std::vector<ImageId> images;
    for (std::size_t i = 0; i < index->imageCount(); ++i) images.push_back(static_cast<ImageId>(i));
    return images;
  }

  PackRequest request(PackRequest::Pictures pictures) const {
    PackRequest request;
    request.out = folder / "pack";
    request.size = 56;
    request.pictures = pictures;
    request.shardBytes = 60'000;  // a few pictures each
    request.jobs = 2;
    return request;
  }

  static std::unique_ptr<SampleSource> source(const std::filesystem::path& path) {
    SourceSpec spec;
    spec.path = path.string();
    auto opened = openSource(spec, {});
    EXPECT_TRUE(opened.ok());
    return std::move(opened).value();
  }

  testing::TempFolder folder;
  QuietProgress quiet;
  std::shared_ptr<const Index> index;
};

TEST_F(Packs, TrainingOnARawPackIsTrainingOnTheOriginals) {
  const auto packed = packImages(*index, all(), request(PackRequest::Pictures::Raw), quiet);
  ASSERT_TRUE(packed.ok()) << packed.error().text();
  EXPECT_EQ(packed.value().images, 30u);
  EXPECT_GT(packed.value().shards, 3u);
  const auto before = source(folder / "index"), after = source(folder / "pack");
  ASSERT_EQ(before->size(), after->size());
  for (std::size_t i = 0; i < before->size(); ++i) {
    const Sample a = before->get(i, 3).value(), b = after->get(i, 3).value();
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.prefix, b.prefix);
    EXPECT_EQ(a.suffix, b.suffix);
    EXPECT_EQ(a.width, b.width);
    const Image expected = resizeBicubic(decodeImage(asBytes(a.image)).value(), 56, 56).value();
    EXPECT_EQ(resizeBicubic(decodeImage(asBytes(b.image)).value(), 56, 56).value(), expected);
  }
}

TEST_F(Packs, APackAnswersQuestionsLikeItsIndexAndMayBeMoved) {
  const auto packed = packImages(*index, all(), request(PackRequest::Pictures::Jpeg), quiet);
  ASSERT_TRUE(packed.ok()) << packed.error().text();
  std::filesystem::rename(folder / "pack", folder / "elsewhere");
  const auto pack = open("elsewhere");
  ASSERT_TRUE(pack);
  EXPECT_TRUE(pack->verify().ok());
  QueryEngine a(index), b(pack);
  for (const char* text : {"count(vehicle)>=2", "any(pedestrian, h<20, level=2)", "camera=front and n>0"}) {
    const Query query = Query::parse(text).value();
    EXPECT_EQ(a.run(query).value().images, b.run(query).value().images) << text;
  }
  for (ImageId image = 0; image < pack->imageCount(); ++image) {
    const Result<std::string> bytes = pack->imageBytes(image);
    ASSERT_TRUE(bytes.ok()) << bytes.error().text();
    EXPECT_EQ(decodeImage(asBytes(bytes.value())).value().width, 56);
    const auto wanted = index->boxes(image), got = pack->boxes(image);
    ASSERT_EQ(wanted.size(), got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(wanted[i].x, got[i].x);
      EXPECT_EQ(wanted[i].h, got[i].h);
      EXPECT_EQ(wanted[i].id, got[i].id);
    }
  }
  ExportRequest pictures{.format = ExportFormat::Coco, .out = folder / "x.json", .images = folder / "pics"};
  EXPECT_FALSE(exportImages(*pack, {0, 1}, pictures, quiet).ok());
}

TEST_F(Packs, AnInterruptedPackGoesOnBehindItsCompleteShards) {
  const PackRequest whole = request(PackRequest::Pictures::Raw);
  QuietProgress impatient;
  impatient.stopAfter = 14;
  const auto stopped = packImages(*index, all(), whole, impatient);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::Cancelled);
  EXPECT_FALSE(Index::looksLikeIndex(folder / "pack"));
  const auto done = packImages(*index, all(), whole, quiet);
  ASSERT_TRUE(done.ok()) << done.error().text();
  EXPECT_EQ(done.value().images, 30u);
  EXPECT_EQ(packImages(*index, all(), whole, quiet).value().keptShards, done.value().shards);
  PackRequest other = whole;
  other.size = 28;
  EXPECT_FALSE(packImages(*index, all(), other, quiet).ok());
  EXPECT_FALSE(packImages(*index, {0, 1, 2}, whole, quiet).ok());
}

TEST_F(Packs, ShardsAreTarFilesAndADamagedPictureIsNoticed) {
  ASSERT_TRUE(packImages(*index, {0, 5, 7}, request(PackRequest::Pictures::Jpeg), quiet).ok());
  const auto listed = testing::runProgram({"tar", "-tf", (folder / "pack/shards/00000.tar").string()});
  EXPECT_EQ(listed.out, "000000000.json\n000000000.jpg\n000000001.json\n000000001.jpg\n000000002.json\n000000002.jpg\n")
      << listed.err;
  const auto unpacked =
      testing::runProgram({"tar", "-xOf", (folder / "pack/shards/00000.tar").string(), "000000001.jpg"});
  const auto pack = open("pack");
  ASSERT_EQ(pack->imageCount(), 3u);
  EXPECT_EQ(pack->imageBytes(1).value(), unpacked.out);
  const std::string& content = testing::readAll(folder / "pack/shards/00000.tar");
  std::fstream file(folder / "pack/shards/00000.tar", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(content.find(unpacked.out) + 900));
  file.put('!');
  file.close();
  const auto damaged = open("pack")->imageBytes(1);
  ASSERT_FALSE(damaged.ok());
}

TEST_F(Packs, APictureThatCannotBeReadKeepsItsLabels) {
  std::filesystem::path record;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "scenes"))
    if (entry.path().extension() == ".tfrecord") record = entry.path();
  std::filesystem::remove(record);
  std::vector<Problem> problems;
  PackRequest wanted = request(PackRequest::Pictures::Jpeg);
  wanted.onProblem = [&](const Problem& problem) { problems.push_back(problem); };
  const auto packed = packImages(*index, all(), wanted, quiet);
  ASSERT_TRUE(packed.ok());
  EXPECT_EQ(packed.value().images, 15u);
  EXPECT_EQ(packed.value().unreadable, 15u);
  EXPECT_EQ(problems.size(), 15u);
  EXPECT_EQ(open("pack")->boxCount(), index->boxCount());
}

}  // namespace
}  // namespace roadtune::data
