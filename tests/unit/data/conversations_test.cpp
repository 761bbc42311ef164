// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about pictures as chat trainers keep them.
#include "core/data/source/sample_source.h"
#include "tests/unit/data/imported_labels.h"

#include <gmock/gmock.h>

namespace roadtune::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Conversations = ImportedLabels;

std::string asked(const Index& index, ImageId image) {
  const Segment& segment = index.segment(0);
  return std::string(segment.prefix(image)) + " -> " + std::string(segment.suffix(image));
}

TEST_F(Conversations, OfThreeKindsBecomeQuestions) {
  picture("set/a.jpg");
  folder.write("set/a.json", R"([
    {"messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "<image>detect car"},
                  {"role": "assistant", "content": "<loc0100><loc0100><loc0500><loc0500> car"},
                  {"role": "user", "content": "how many?"}, {"role": "assistant", "content": " 1 "}], "images": ["a.jpg"]},
    {"id": "7", "image": "a.jpg", "conversations": [{"from": "human", "value": "<image>\nwhat is this?"},
                                                    {"from": "gpt", "value": "a street"}]},
    {"instruction": "caption", "input": "<image>", "output": "houses", "images": ["a.jpg"]},
    {"messages": [{"role": "user", "content": [{"type": "image", "image": "a.jpg"}, {"type": "text", "text": "night?"}]},
                  {"role": "assistant", "content": [{"type": "text", "text": "no"}]}]}])");
  const auto index = import({folder / "set"});
  ASSERT_EQ(index->imageCount(), 5u);
  EXPECT_EQ(asked(*index, 0), "detect car -> <loc0100><loc0100><loc0500><loc0500> car");
  EXPECT_EQ(index->boxCount(), 1u);
  EXPECT_TRUE(index->image(0).labelled);
  EXPECT_EQ(asked(*index, 1), "how many? -> 1");
  EXPECT_FALSE(index->image(1).labelled);
  EXPECT_EQ(asked(*index, 2), "what is this? -> a street");
  EXPECT_EQ(asked(*index, 3), "caption -> houses");
  EXPECT_EQ(asked(*index, 4), "night? -> no");
  EXPECT_THAT(problems, ElementsAre(HasSubstr("1 question after another one about the same picture; asked without"),
                                    HasSubstr("1 instruction to the system; left out")));
}

TEST_F(Conversations, WhatCannotBeLearntIsCounted) {
  picture("set/a.jpg");
  const std::string talk = R"("messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}])";
  folder.write("set/bad.jpg", "no picture");
  folder.write("set/a.json", "[{" + talk + R"(, "images": ["a.jpg", "bad.jpg"]}, {)" + talk +
                                 R"(, "images": ["gone.jpg"]}, {)" + talk + R"(}, {)" + talk +
                                 R"(, "images": ["bad.jpg"]}, 7, {)" + talk + R"(, "image": "a.jpg"}])");
  const auto index = import({folder / "set/a.json"});
  EXPECT_EQ(index->imageCount(), 2u);
  EXPECT_THAT(problems,
              ElementsAre(HasSubstr("conversation 4: picture bad.jpg cannot be read"),
                          HasSubstr("1 conversation about no picture"), HasSubstr("1 conversation about several"),
                          HasSubstr("1 conversation about a picture that was not found, first gone.jpg")));
}

TEST_F(Conversations, AreTrainedOnAsTheyLie) {
  picture("a.jpg");
  const auto file = folder.write("a.json", R"([{"image": "a.jpg", "conversations": [{"from": "human", "value": "q"},
                                                                              {"from": "gpt", "value": "a"}]}])");
  TaskTemplate task;
  task.task = "vqa";
  const auto source = openSource({.path = file.string()}, task);
  ASSERT_TRUE(source.ok()) << source.error().text();
  ASSERT_EQ(source.value()->size(), 1u);
  const auto sample = source.value()->get(0);
  ASSERT_TRUE(sample.ok()) << sample.error().text();
  EXPECT_EQ(sample.value().prefix, "q");
  EXPECT_EQ(sample.value().suffix, "a");
}

}  // namespace
}  // namespace roadtune::data
