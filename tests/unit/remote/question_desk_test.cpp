// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/queue/question_desk.h"

#include "remote/queue/queue_worker.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <thread>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempFolder;
using Kind = QueueQuestion::Kind;

class QuestionDeskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = QuestionDesk::open(queue);
    ASSERT_TRUE(opened.ok()) << opened.error().text();
    desk = std::move(opened).value();
    auto taken = QueueWorker::take(queue, {});  // whoever asks looks whether somebody works
    ASSERT_TRUE(taken.ok());
    worker.emplace(std::move(taken).value());
  }
  // As a connection does it, on a thread of its own.
  template <class Ask>
  static void connect(const Ask& ask) {
    std::thread(ask).join();
  }
  std::vector<QueueQuestion> open() const {
    const auto questions = openQuestions(queue);
    EXPECT_TRUE(questions.ok());
    return questions.valueOr({});
  }

  TempFolder folder;
  JobQueue queue{folder / "queue"};
  std::unique_ptr<QuestionDesk> desk;
  std::optional<QueueWorker> worker;
};

TEST_F(QuestionDeskTest, AConnectionGoesWithoutWhatIsNotKnownAndGetsItTheNextTime) {
  const Prompts prompts = desk->promptsFor(7);
  connect([&] {
    EXPECT_FALSE(prompts.passphrase("/home/a/.ssh/id"));
    EXPECT_FALSE(prompts.password("a@gpu1")) << "the other way in";
  });
  const auto questions = open();
  ASSERT_EQ(questions.size(), 1u) << "is not asked about as well";
  EXPECT_EQ(questions[0].job, 7);
  EXPECT_EQ(questions[0].kind, Kind::Passphrase);
  EXPECT_EQ(describe(questions[0]), "the passphrase of /home/a/.ssh/id");
  EXPECT_FALSE(questions[0].again);
  ASSERT_TRUE(answerQuestion(queue, questions[0].id, "open \"sesame\"\n").ok());
  EXPECT_THAT(open(), IsEmpty());
  connect([&] { EXPECT_EQ(prompts.passphrase("/home/a/.ssh/id"), "open \"sesame\"\n"); });
  EXPECT_EQ(desk->promptsFor(8).passphrase("/home/a/.ssh/id"), "open \"sesame\"\n") << "one answer for all jobs";
}

TEST_F(QuestionDeskTest, AWrongAnswerIsAskedForAgainAndNothingElse) {
  const Prompts prompts = desk->promptsFor(1);
  connect([&] { prompts.passphrase("/id"); });
  ASSERT_TRUE(answerQuestion(queue, open().at(0).id, "wrong").ok());
  connect([&] {
    EXPECT_EQ(prompts.passphrase("/id"), "wrong");
    prompts.refused("/id");
    EXPECT_FALSE(prompts.password("a@gpu1"));
  });
  const auto questions = open();
  ASSERT_EQ(questions.size(), 1u);
  EXPECT_EQ(questions[0].kind, Kind::Passphrase);
  EXPECT_TRUE(questions[0].again);
  connect([&] { EXPECT_FALSE(prompts.passphrase("/id")); });
}

TEST_F(QuestionDeskTest, EveryMachineMayAskItsOwn) {
  const Prompts prompts = desk->promptsFor(1);
  connect([&] { EXPECT_FALSE(prompts.password("gpu1")); });
  connect([&] { EXPECT_FALSE(prompts.reply("gpu2: Password: ", false)); });
  connect([&] { EXPECT_FALSE(prompts.trustUnknownKey({"gpu3", "ssh-ed25519", "SHA256:abc"})); });
  const auto questions = open();
  ASSERT_EQ(questions.size(), 3u);
  EXPECT_EQ(describe(questions[1]), "what gpu2 asks");
  EXPECT_EQ(questions[2].finger, "SHA256:abc");
  ASSERT_TRUE(answerQuestion(queue, questions[2].id, "yes").ok());
  EXPECT_TRUE(prompts.trustUnknownKey({"gpu3", "ssh-ed25519", "SHA256:abc"}));
  EXPECT_FALSE(prompts.trustUnknownKey({"gpu3", "ssh-ed25519", "SHA256:another"})) << "that key, not that machine";
}

TEST_F(QuestionDeskTest, ACodeThatIsGoodOnceIsNotKept) {
  const Prompts prompts = desk->promptsFor(1);
  connect([&] { EXPECT_FALSE(prompts.reply("gpu1: Code: ", true)); });
  ASSERT_TRUE(open().at(0).echo);
  ASSERT_TRUE(answerQuestion(queue, open().at(0).id, "123456").ok());
  connect([&] { EXPECT_EQ(prompts.reply("gpu1: Code: ", true), "123456"); });
  connect([&] { EXPECT_FALSE(prompts.reply("gpu1: Code: ", true)); });
}

TEST_F(QuestionDeskTest, OnlyThisUserCanOpenTheSocketAndItGoesWithTheDesk) {
  struct stat info {};
  ASSERT_EQ(::stat(questionSocket(queue).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const auto late = answerQuestion(queue, 99, "x");
  ASSERT_FALSE(late.ok());
  EXPECT_THAT(late.error().text(), HasSubstr("nobody asks that any more"));
  desk.reset();
  EXPECT_FALSE(std::filesystem::exists(questionSocket(queue)));
  EXPECT_THAT(open(), IsEmpty());
}

TEST_F(QuestionDeskTest, WhatIsGoneFromTheQueueAsksNothing) {
  connect([prompts = desk->promptsFor(1)] { prompts.password("gpu1"); });
  connect([prompts = desk->promptsFor(2)] { prompts.password("gpu2"); });
  desk->keepOnly({2});
  const auto questions = open();
  ASSERT_EQ(questions.size(), 1u);
  EXPECT_EQ(questions[0].job, 2);
}

}  // namespace
}  // namespace roadtune::remote
