// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures that an index keeps itself: damage is found.
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

namespace roadtune::data {
namespace {

namespace fs = std::filesystem;

class KeptBytes : public ::testing::Test {
 protected:
  ImportOutcome import() {
    Recording recording = fakeRecording("s", "training");
    recording.images = {fakeImage(1, Camera::Front, {}), fakeImage(2, Camera::Front, {})};
    recording.images.push_back(fakeImage(3, Camera::Front, {}));
    recording.images[2].file = RecordedImage::kNowhere;
    ImportRequest request{.sources = {source}, .out = folder / "index"};
    RecordingReaders readers;
    readers.push_back(std::make_unique<FakeReader>(std::vector<Recording>{std::move(recording)}));
    QuietProgress progress;
    const auto outcome = importInto(request, readers, progress);
    EXPECT_TRUE(outcome.ok()) << outcome.error().text();
    return outcome.ok() ? outcome.value() : ImportOutcome{};
  }
  Result<std::string> bytes(ImageId image) const { return Index::open(folder / "index").value()->imageBytes(image); }
  fs::path blob() const { return fs::directory_iterator(folder / "index/blobs")->path(); }
  void damage() const {
    std::fstream stream(blob(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(3);
    stream << "OUCH";
  }
  void setChanged(std::chrono::seconds after) const {
    const fs::path columns = fs::directory_iterator(folder / "index/segments")->path();
    fs::last_write_time(blob(), fs::last_write_time(columns) + after);
  }

  testing::TempFolder folder;
  fs::path source = folder.write("source.fake", "stands for recordings");
};

TEST_F(KeptBytes, AreReadAgainWhenTheirFileWasDamaged) {
  EXPECT_EQ(import().imported, 1u);
  const std::string whole = bytes(0).value();
  damage();
  setChanged(std::chrono::seconds(1));
  ASSERT_FALSE(bytes(0).ok()) << "changed bytes are not handed out";
  EXPECT_NE(bytes(0).error().hint.find(blob().string()), std::string::npos) << bytes(0).error().text();
  EXPECT_TRUE(bytes(1).ok());
  EXPECT_EQ(import().imported, 1u);
  EXPECT_EQ(bytes(0).value(), whole);
}

TEST_F(KeptBytes, AreLookedAtOnceAfterACopy) {
  import();
  setChanged(std::chrono::seconds(60));
  EXPECT_EQ(import().unchanged, 1u);
  damage();
  setChanged(std::chrono::seconds(0));  // as old as before: nobody looks
  EXPECT_EQ(import().unchanged, 1u);
  fs::remove(blob());  // what the error of a reader says
  EXPECT_EQ(import().imported, 1u);
  EXPECT_TRUE(bytes(0).ok());
}

}  // namespace
}  // namespace roadtune::data
