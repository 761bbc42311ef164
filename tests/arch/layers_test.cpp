// SPDX-License-Identifier: GPL-3.0-or-later
// Which folder may know which: read from the include lines of every source.
#include "tests/arch/source_tree.h"

#include <gtest/gtest.h>

#include <regex>

namespace roadtune::arch {
namespace {

// A folder may include itself and what stands above it.
const std::vector<std::string> kOrder = {
    "core/base",         "core/config",       "core/protocol",
    "core/policy",       "core/runs",         "core/text",
    "core/data/image",   "core/data/records", "core/model",
    "core/data/synth",   "core/data/index",   "core/data/formats",
    "core/data/storage", "core/data/query",   "core/data/source",
    "core/data/export",  "core/data/quality", "core/data/eval",
    "core/engine",       "remote/agent",      "remote/ssh",
    "remote/transfer",   "remote/preflight",  "remote/launch",
    "remote/queue",      "widgets/common",    "widgets/frame",
    "widgets/models",    "widgets/plot",      "widgets/forms",
    "widgets/canvas",    "widgets/panels",    "app",
};

int rankOf(const std::string& path) {
  int best = -1;
  std::size_t length = 0;
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    if (path.starts_with(kOrder[i] + "/") && kOrder[i].size() > length) {
      best = static_cast<int>(i);
      length = kOrder[i].size();
    }
  }
  return best;
}

const std::vector<SourceFile>& tree() {
  static const auto files = sourcesBelow({"core", "remote", "widgets", "app"});
  return files;
}

TEST(Layers, EveryFolderHasItsPlaceInTheOrder) {
  for (const auto& file : tree())
    EXPECT_GE(rankOf(file.path), 0) << file.path << " lies in a folder that tests/arch does not know";
}

TEST(Layers, AFolderIncludesOnlyWhatStandsAboveIt) {
  for (const auto& file : tree()) {
    for (const auto& name : file.includes()) {
      const int target = rankOf(name);
      if (target >= 0) EXPECT_LE(target, rankOf(file.path)) << file.path << " includes " << name;
    }
  }
}

TEST(Layers, ProgramsAreNotIncludedByLibraries) {
  for (const auto& file : tree()) {
    if (file.path.starts_with("app/")) continue;
    for (const auto& name : file.includes())
      EXPECT_FALSE(name.starts_with("app/")) << file.path << " includes " << name;
  }
}

struct Confined {
  const char* package;
  std::regex include;
  std::regex where;
};

TEST(Layers, HeavyPackagesStayInTheirFolders) {
  const std::vector<Confined> rules = {
      {"Qt", std::regex(R"(^Q[A-Z]\w*$|^Qt[A-Z]\w*/)"), std::regex("^(widgets|app/studio)/")},
      {"torch", std::regex("^(torch|ATen|c10|caffe2)/|^nccl"), std::regex("^core/engine/.+/")},
      {"Arrow", std::regex("^(arrow|parquet)/"), std::regex("^core/data/(formats|storage)/")},
      {"OpenCV", std::regex("^opencv2/"), std::regex("^core/data/image/")},
      {"libssh", std::regex("^libssh/"), std::regex("^remote/ssh/")},
      {"QCustomPlot", std::regex(R"(^qcustomplot\.h)"), std::regex("^widgets/plot/")},
      {"yaml-cpp", std::regex("^yaml-cpp/"), std::regex(R"(^core/config/.*\.cpp$)")},
      {"sqlite", std::regex("^sqlite3"), std::regex("^core/data/index/")},
      {"CLI11", std::regex("^CLI/"), std::regex("^app/(cli|train|agent)/")},
  };
  for (const auto& file : tree())
    for (const auto& name : file.includes())
      for (const auto& rule : rules)
        if (std::regex_search(name, rule.include))
          EXPECT_TRUE(std::regex_search(file.path, rule.where))
              << file.path << " includes " << name << ": " << rule.package << " is kept elsewhere";
}

// Then compiling the source alone proves that its header needs nothing before it.
TEST(Layers, ASourceBeginsWithItsHeader) {
  std::size_t looked = 0;
  for (const auto& file : tree()) {
    if (!file.path.ends_with(".cpp")) continue;
    const std::string header = file.path.substr(0, file.path.size() - 3) + "h";
    if (std::none_of(tree().begin(), tree().end(), [&](const auto& other) { return other.path == header; })) continue;
    ++looked;
    EXPECT_TRUE(!file.includes().empty() && file.includes().front() == header)
        << file.path << " includes another first";
  }
  EXPECT_GT(looked, 100u);
}

TEST(Layers, OneSourceIncludesQCustomPlot) {
  std::vector<std::string> users;
  for (const auto& file : tree())
    for (const auto& name : file.includes())
      if (name == "qcustomplot.h") users.push_back(file.path);
  EXPECT_EQ(users.size(), 1u) << ::testing::PrintToString(users);
}

TEST(Layers, IncludesOfOursStartAtTheRoot) {
  for (const auto& file : tree())
    for (const auto& name : file.includes())
      EXPECT_FALSE(name.starts_with("../") || name.starts_with("./")) << file.path << " includes " << name;
}

}  // namespace
}  // namespace roadtune::arch
