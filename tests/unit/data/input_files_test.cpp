// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/input_files.h"

#include "core/data/index/image_lookup.h"
#include "tests/unit/data/fake_recordings.h"

#include <gmock/gmock.h>

namespace roadtune::data {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::TempFolder;

TEST(InputFiles, LinesBringThePicturesTheyNameAndTheirAttribution) {
  const TempFolder folder;
  folder.write("set/images/a.jpg", "a");
  folder.write("set/images/not-named.jpg", "b");
  folder.write("set/ATTRIBUTION", "whose it is");
  const auto far = folder.write("elsewhere/c.jpg", "c");
  const auto lines = folder.write("set/train.jsonl", "{\"image\": \"images/a.jpg\"}\n\nno json\n{\"image\": \"" +
                                                         far.string() + "\"}\n{\"image\": \"images/gone.jpg\"}\n");
  EXPECT_THAT(inputFiles({.path = lines.string()}).value(),
              ElementsAre(far, folder / "set/ATTRIBUTION", folder / "set/images/a.jpg", lines));
}

TEST(InputFiles, ACocoFileBringsItsPictures) {
  const TempFolder folder;
  folder.write("images/a.jpg", "a");
  const auto file = folder.write("labels.json", R"({"images": [{"file_name": "a.jpg"}], "annotations": []})");
  EXPECT_THAT(inputFiles({.path = file.string()}).value(), ElementsAre(folder / "images/a.jpg", file));
}

TEST(InputFiles, AnIndexBringsItsBlobsAndNothingThatOnlyPeopleLookAt) {
  const TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {fakeBox(kVehicle, 0, 0, 10, 10)})};
  makeIndex(folder, {recording});
  const fs::path index = folder / "index";
  folder.write("index/thumbs/front.pack", "small pictures");
  folder.write("index/user.sqlite", "tags");
  const auto files = inputFiles({.path = index.string()}).value();
  EXPECT_THAT(files, Contains(index / "catalogue.json"));
  EXPECT_THAT(files, ::testing::Not(Contains(index / "thumbs/front.pack")));
  EXPECT_THAT(files, ::testing::Not(Contains(index / "user.sqlite")));
  EXPECT_EQ(std::count_if(files.begin(), files.end(), [](const auto& f) { return f.extension() == ".blob"; }), 1);
  EXPECT_THAT(inputFiles({.path = index.string(), .query = "tag:night"}).value(), Contains(index / "user.sqlite"));
}

TEST(InputFiles, OfAModelOnlyWhatTrainingReads) {
  const TempFolder folder;
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.json", "pytorch_model.bin", ".hidden.json",
                           "checkpoint-3/model.safetensors"})
    folder.write(name, "x");
  EXPECT_THAT(modelFiles(folder.path()).value(),
              ElementsAre(folder / "config.json", folder / "model.safetensors", folder / "tokenizer.json"));
  EXPECT_FALSE(modelFiles(folder / "nothing").ok());
  EXPECT_FALSE(inputFiles({.path = (folder / "nothing").string()}).ok());
}

TEST(ImageLookup, AmongCopiedInputsAWholePathMeansTheCopy) {
  const TempFolder folder;
  const std::string inputs = folder / kCopiedInputs;
  folder.write(std::string(kCopiedInputs) + "/data/far/a.jpg", "the copy");
  ImageLookup copied(inputs + "/data/set/a.json", {});
  EXPECT_EQ(copied.find("/data/far/a.jpg"), fs::path(inputs + "/data/far/a.jpg"));
  EXPECT_EQ(ImageLookup(folder / "data/a.json", {}).find("/data/far/a.jpg"), std::nullopt);
}

}  // namespace
}  // namespace roadtune::data
