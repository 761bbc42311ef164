// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/input_hashes.h"

#include "core/config/resolve.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

namespace roadtune::remote {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempFolder;

config::RunConfig runOn(const TempFolder& folder, const std::string& more) {
  const config::Document document(
      "model_name_or_path: " + (folder / "model").string() + "\ntrain_data: " + (folder / "data").string() +
          "/a.jsonl\neval_data: " + (folder / "data").string() + "\noutput_dir: /r\neval_strategy: steps\n" + more,
      folder / "run.yaml");
  auto resolved = config::resolve(document);
  EXPECT_TRUE(resolved.config) << config::toText(resolved.problems);
  return *resolved.config;
}

protocol::Manifest manifestOf(const config::RunConfig& run) {
  protocol::Manifest manifest;
  InputHashes hashes = hashInputs(run);
  manifest.dataHashes = std::move(hashes.data);
  manifest.weightHashes = std::move(hashes.weights);
  return manifest;
}

TEST(InputHashes, TellWhatIsNotWhatItWas) {
  const TempFolder folder;
  const std::string lines(1 << 20, 'x');
  folder.write("data/a.jsonl", lines);
  folder.write("data/b.tfrecord", "records");
  folder.write("data/1.jpg", "a picture");
  folder.write("model/config.json", "{}");
  folder.write("model/model.safetensors", "weights");
  const auto lora = runOn(folder, "finetuning_type: lora\ntarget_modules: all-linear\n"),
             full = runOn(folder, "finetuning_type: full\n");
  const auto began = manifestOf(lora);
  EXPECT_EQ(began.dataHashes.size(), 2u);
  EXPECT_EQ(began.weightHashes.size(), 1u);
  EXPECT_THAT(changedInputs(began, lora), IsEmpty());
  folder.write("data/1.jpg", "another picture");
  EXPECT_THAT(changedInputs(began, lora), IsEmpty()) << "too many to look at";
  folder.write("data/b.tfrecord", "record ");
  EXPECT_THAT(changedInputs(began, lora), ElementsAre(HasSubstr((folder / "data").string() + " is not what it was")));
  folder.write("data/b.tfrecord", "records");
  folder.write("data/a.jsonl", lines.substr(1));
  EXPECT_EQ(changedInputs(began, lora).size(), 2u) << "the file, and the folder it lies in";
  folder.write("data/a.jsonl", lines);
  folder.write("model/model.safetensors", "weighty");
  EXPECT_THAT(changedInputs(began, lora), ElementsAre(HasSubstr("model.safetensors of ")));
  EXPECT_THAT(changedInputs(began, full), IsEmpty()) << "a checkpoint holds them all";
  std::filesystem::remove_all(folder / "data");
  std::filesystem::remove_all(folder / "model");
  EXPECT_THAT(changedInputs(began, lora), IsEmpty()) << "what is not here is nobody's guess";
}

}  // namespace
}  // namespace roadtune::remote
