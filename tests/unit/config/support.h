// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/importing.h"
#include "core/config/resolve.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roadtune::config {

inline Document fileWith(std::string text) { return Document(std::move(text), "/project/run.yaml"); }

inline Resolution resolveText(std::string text, std::vector<std::string> overrides = {},
                              Purpose purpose = Purpose::Editing) {
  return resolve(fileWith(std::move(text)), {purpose, std::move(overrides)});
}

// The configuration of a text that must be good.
inline RunConfig goodRun(std::string text, std::vector<std::string> overrides = {}) {
  const Resolution resolution = resolveText(std::move(text), std::move(overrides));
  EXPECT_TRUE(resolution.config) << toText(resolution.problems);
  return resolution.config.value_or(RunConfig());
}

// The problems of a text, warnings left out.
inline std::vector<Problem> errorsOf(std::string text, std::vector<std::string> overrides = {},
                                     Purpose purpose = Purpose::Editing) {
  auto problems = resolveText(std::move(text), std::move(overrides), purpose).problems;
  std::erase_if(problems, [](const Problem& problem) { return problem.severity == Severity::Warning; });
  return problems;
}

inline std::vector<Problem> warningsOf(std::string text) {
  auto problems = resolveText(std::move(text)).problems;
  std::erase_if(problems, [](const Problem& problem) { return problem.severity == Severity::Error; });
  return problems;
}

// The only problem of a text.
inline Problem onlyError(std::string text, std::vector<std::string> overrides = {}) {
  const auto problems = errorsOf(std::move(text), std::move(overrides));
  EXPECT_EQ(problems.size(), 1u) << toText(problems);
  return problems.empty() ? Problem{} : problems.front();
}

// What a file of that name and text is turned into.
inline ImportedConfig imported(const char* name, const std::string& text) {
  const testing::TempFolder folder;
  auto result = importConfig(folder.write(name, text));
  EXPECT_TRUE(result.ok()) << result.error().text();
  return result.ok() ? std::move(result).value() : ImportedConfig{};
}

}  // namespace roadtune::config
