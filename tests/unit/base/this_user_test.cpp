// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/this_user.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>

namespace roadtune {
namespace {

// Variables as given for one test, and as they were afterwards.
class Variables {
 public:
  explicit Variables(const std::map<const char*, const char*>& values) {
    for (const auto& [name, value] : values) {
      const char* before = std::getenv(name);
      m_before[name] = before ? std::optional<std::string>(before) : std::nullopt;
      value ? ::setenv(name, value, 1) : ::unsetenv(name);
    }
  }
  ~Variables() {
    for (const auto& [name, value] : m_before) value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::map<const char*, std::optional<std::string>> m_before;
};

TEST(ThisUser, FoldersAreTheDesktops) {
  const Variables given({{"XDG_CACHE_HOME", "/c"}, {"XDG_DATA_HOME", "/d"}, {"XDG_CONFIG_HOME", "/e"}});
  EXPECT_EQ(userCacheFolder(), "/c");
  EXPECT_EQ(userDataFolder(), "/d");
  EXPECT_EQ(userConfigFolder(), "/e");
}

TEST(ThisUser, FoldersLieInTheHomeOtherwise) {
  const Variables given(
      {{"XDG_CACHE_HOME", ""}, {"XDG_DATA_HOME", nullptr}, {"XDG_CONFIG_HOME", nullptr}, {"HOME", "/home/ada"}});
  EXPECT_EQ(userCacheFolder(), "/home/ada/.cache");
  EXPECT_EQ(userDataFolder(), "/home/ada/.local/share");
  EXPECT_EQ(userConfigFolder(), "/home/ada/.config");
}

TEST(ThisUser, WithoutAHomeTheyAreTemporary) {
  const Variables given({{"XDG_CACHE_HOME", nullptr}, {"HOME", nullptr}});
  EXPECT_EQ(userCacheFolder(), fs::temp_directory_path() / ".cache");
}

}  // namespace
}  // namespace roadtune
