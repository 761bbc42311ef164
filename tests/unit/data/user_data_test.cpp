// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/user_data.h"

#include "core/data/index/json_elements.h"
#include "core/data/index/sqlite.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace roadtune::data {
namespace {

using testing::TempFolder;

// As somebody who may not write where others have; root may everywhere.
bool holdsForAStranger(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    ::_exit((::getuid() != 0 || ::setuid(kNobody) == 0) && work() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

TEST(UserData, SurvivesClosingAndANewImport) {
  const TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {}), fakeImage(2, Camera::Front, {})};
  auto index = makeIndex(folder, {recording});
  {
    auto user = UserData::open(*index).value();
    ASSERT_TRUE(user.addTag(*index, {1}, "hard").ok());
    ASSERT_TRUE(user.addTag(*index, {1}, "HARD").ok());  // the same tag
    ASSERT_TRUE(user.setNote(*index, 1, "glare").ok());
    ASSERT_TRUE(user.saveView({"mine", "n > 3"}).ok());
    ASSERT_TRUE(user.setOverride(*index, 1, {.track = "t", .x = 1, .y = 2, .w = 3, .h = 4, .label = "cyclist"}).ok());
  }
  recording.images.insert(recording.images.begin(), fakeImage(0, Camera::Front, {}));  // every image moves up by one
  folder.write("source.fake", "changed");
  index = nullptr;
  std::filesystem::remove_all(folder / "index/segments");
  index = makeIndex(folder, {recording});
  auto user = UserData::open(*index).value();
  EXPECT_EQ(user.tagged(*index, "hard").value(), std::vector<ImageId>{2});
  EXPECT_EQ(user.tags().value().size(), 1u);
  EXPECT_EQ(user.note(*index, 2).value(), "glare");
  EXPECT_EQ(user.views().value().at(0).query, "n > 3");
  EXPECT_EQ(user.overrides(*index, 2).value().at(0).label, "cyclist");
  ASSERT_TRUE(user.removeTag(*index, {2}, "hard").ok());
  EXPECT_TRUE(user.tagsOf(*index, 2).value().empty());
}

// Files in a folder have no time: what counts as one is their place in the list, which moves when one comes before
// them.
TEST(UserData, NamedImagesKeepTheirsWhenTheListChanges) {
  const TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.format = "voc";
  const auto listed = [&](const std::vector<std::string>& names) {
    recording.images.clear();
    for (const std::string& name : names) {
      recording.images.push_back(fakeImage(static_cast<std::int64_t>(recording.images.size()), Camera::Unknown, {}));
      recording.images.back().name = name;
    }
    folder.write("source.fake", std::to_string(names.size()));
    std::filesystem::remove_all(folder / "index/segments");
    return makeIndex(folder, {recording});
  };
  auto index = listed({"b.jpg", "c.jpg", "c.jpg"});
  {
    auto user = UserData::open(*index).value();
    ASSERT_TRUE(user.addTag(*index, {1}, "excluded").ok());
    ASSERT_TRUE(user.setNote(*index, 2, "the second c").ok());
  }
  index = listed({"a.jpg", "b.jpg", "c.jpg", "c.jpg"});
  {
    const auto user = UserData::open(*index).value();
    EXPECT_EQ(user.tagged(*index, "excluded").value(), std::vector<ImageId>{2});
    EXPECT_EQ(user.tagsOf(*index, 2).value(), std::vector<std::string>{"excluded"});
    EXPECT_EQ(user.notes(*index).value(), (std::map<ImageId, std::string>{{3, "the second c"}}));
  }
  // A file of before, which knows places: they get their names while the list is what it was.
  {
    auto old = Sqlite::open(folder / "index/user.sqlite").value();
    ASSERT_TRUE(old.run("DELETE FROM tag; INSERT INTO tag VALUES ('s', 1, 0, 'old'); PRAGMA user_version = 0").ok());
  }
  EXPECT_EQ(UserData::open(*index).value().tagged(*index, "old").value(), std::vector<ImageId>{1});
  index = listed({"0.jpg", "a.jpg", "b.jpg"});
  EXPECT_EQ(UserData::open(*index).value().tagged(*index, "old").value(), std::vector<ImageId>{2});
  EXPECT_TRUE(UserData::open(*index).value().notes(*index).value().empty()) << "its picture is gone";
}

TEST(UserData, LookingForItWritesNothing) {
  const TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {})};
  const auto index = makeIndex(folder, {recording});
  EXPECT_FALSE(UserData::openWritten(*index).value().has_value());
  EXPECT_FALSE(std::filesystem::exists(folder / "index/user.sqlite"));
  ASSERT_TRUE(UserData::open(*index).value().addTag(*index, {0}, "hard").ok());
  EXPECT_EQ(UserData::openWritten(*index).value()->tags().value().size(), 1u);
}

TEST(UserData, WhatOthersKeepBesideTheirIndexIsReadAndTakenOver) {
  const TempFolder folder;
  const auto home = folder / "home";
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {}), fakeImage(2, Camera::Front, {})};
  const auto index = makeIndex(folder, {recording});
  ASSERT_TRUE(UserData::open(*index).value().addTag(*index, {1}, "busy").ok());
  const auto beside = folder / "index/user.sqlite";
  EXPECT_FALSE(std::filesystem::exists(folder / "index/user.sqlite-wal")) << "nobody else has it open";
  std::filesystem::create_directories(home);
  using std::filesystem::perms;
  std::filesystem::permissions(folder.path(), perms::all);
  std::filesystem::permissions(home, perms::all);
  std::filesystem::permissions(index->folder(), perms(0555));
  std::filesystem::permissions(beside, perms(0444));
  EXPECT_TRUE(holdsForAStranger([&] {
    ::setenv("XDG_DATA_HOME", home.c_str(), 1);
    const auto seen = UserData::openWritten(*index);
    return seen.ok() && seen.value() && !seen.value()->writable() &&
           seen.value()->tagged(*index, "busy").value() == std::vector<ImageId>{1};
  }));
  EXPECT_TRUE(std::filesystem::is_empty(home)) << "looking writes nothing";
  EXPECT_TRUE(holdsForAStranger([&] {
    ::setenv("XDG_DATA_HOME", home.c_str(), 1);
    auto own = UserData::open(*index);
    return own.ok() && own.value().writable() && own.value().addTag(*index, {0}, "mine").ok();
  }));
  EXPECT_TRUE(holdsForAStranger([&] {
    ::setenv("XDG_DATA_HOME", home.c_str(), 1);
    const auto seen = UserData::openWritten(*index);
    return seen.ok() && seen.value() && seen.value()->tags().value().size() == 2 &&
           std::filesystem::exists(UserData::elsewhere(*index));
  })) << "theirs and one's own";
  std::filesystem::permissions(index->folder(), perms(0755));
  std::filesystem::permissions(beside, perms(0644));
  EXPECT_EQ(UserData::open(*index).value().tags().value().size(), 1u) << "theirs are as they were";
}

TEST(JsonElements, StreamsOnlyWhatIsAskedFor) {
  const TempFolder folder;
  const auto file =
      folder.write("a.json", R"({"skip":[{"a":[1,{"b":2}]}],"take":[{"x":{"y":[1,2]}},7],"more":{"take":[9]}})");
  std::vector<std::string> seen;
  const Status read = forEachElement(file, {{"take", [&](nlohmann::json& element) {
                                               seen.push_back(element.dump());
                                               return true;
                                             }}});
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(seen, (std::vector<std::string>{R"({"x":{"y":[1,2]}})", "7"}));
}

TEST(JsonElements, StopsWhenTold) {
  const TempFolder folder;
  int seen = 0;
  const auto file = folder.write("a.json", "[1,2,3]");
  EXPECT_TRUE(forEachElement(file, {{"", [&](nlohmann::json&) { return ++seen < 2; }}}).ok());
  EXPECT_EQ(seen, 2);
}

TEST(JsonElements, NamesWhatIsBroken) {
  const TempFolder folder;
  const auto none = [](nlohmann::json&) { return true; };
  for (const char* text : {"", "{", "[1,", "{\"take\":{}}", "{\"take\":[1}", "3"})
    EXPECT_FALSE(forEachElement(folder.write("a.json", text), {{"take", none}}).ok()) << text;
}

}  // namespace
}  // namespace roadtune::data
