// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/control.h"

#include <gtest/gtest.h>

namespace roadtune::protocol {
namespace {

TEST(Control, BareWordsAreCommands) {
  for (const ControlWord word : {ControlWord::Save, ControlWord::Stop, ControlWord::StopNow, ControlWord::Pause,
                                 ControlWord::Resume, ControlWord::Evaluate}) {
    const auto command = parseControlLine("  " + std::string(name(word)) + "\r\n");
    ASSERT_TRUE(command.ok());
    EXPECT_EQ(command.value().word, word);
    EXPECT_TRUE(command.value().id.empty());
  }
}

TEST(Control, SettingsMayBeWrittenForPeopleOrAsJson) {
  for (const char* line : {"set learning_rate=1e-5 save_steps=50", R"(set {"learning_rate": 1e-5, "save_steps": 50})",
                           R"({"do":"set","set":{"learning_rate":1e-5,"save_steps":50}})"}) {
    const auto command = parseControlLine(line);
    ASSERT_TRUE(command.ok()) << line << ": " << command.error().text();
    EXPECT_EQ(command.value().edit.learningRate, 1e-5);
    EXPECT_EQ(command.value().edit.saveSteps, 50);
    EXPECT_FALSE(command.value().edit.evalSteps.has_value());
  }
}

TEST(Control, CommandsComeBackAsTheyWereSent) {
  ControlCommand command{"17", ControlWord::Set, {}};
  command.edit.maxGradNorm = 0.5;
  command.edit.loggingSteps = 1;
  EXPECT_EQ(encodeControl(command), R"({"do":"set","id":"17","set":{"logging_steps":1,"max_grad_norm":0.5}})");
  const auto back = parseControlLine(encodeControl(command));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value().id, "17");
  EXPECT_EQ(back.value().edit.maxGradNorm, 0.5);
  EXPECT_EQ(back.value().edit.loggingSteps, 1);
}

TEST(Control, RepliesComeBackAsTheyWereSent) {
  const auto back = parseReplyLine(encodeReply({"7", false, "no checkpoint yet", 40}));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value().id, "7");
  EXPECT_FALSE(back.value().ok);
  EXPECT_EQ(back.value().message, "no checkpoint yet");
  EXPECT_EQ(back.value().step, 40);
}

TEST(Control, WrongWordsAreNamedWithTheNearestOne) {
  const auto command = parseControlLine("stopp");
  ASSERT_FALSE(command.ok());
  EXPECT_EQ(command.error().hint, "stop");
  const auto key = parseControlLine("set learning_rat=1");
  ASSERT_FALSE(key.ok());
  EXPECT_EQ(key.error().hint, "learning_rate");
}

TEST(Control, RefusesValuesThatCannotBeMeant) {
  for (const char* line :
       {"", "set", "set {}", "set learning_rate=-1", "set save_steps=1.5", "set learning_rate=fast",
        R"({"do":"set","set":{"learning_rate":"1"}})", R"({"do":"set"})", R"({"do":"dance"})", "{", "save now"})
    EXPECT_FALSE(parseControlLine(line).ok()) << line;
  EXPECT_FALSE(parseReplyLine(R"({"ok":1})").ok());
}

}  // namespace
}  // namespace roadtune::protocol
