// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tiny_model.h"
#include "core/text/tokenizer.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace roadtune {
namespace {

using text::Tokenizer;

// The reference runs once for all cases.
class TokenizerParity : public ::testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    s_folder = new testing::TempFolder();
    const auto tiny = *s_folder / "model";
    ASSERT_TRUE(model::writeTinyModel(tiny, {}).ok());
    const auto result =
        testing::runProgram({testing::oraclePython(), ROADTUNE_SOURCE_DIR "/tests/parity/text/make_tokenizers.py",
                             tiny.string(), s_folder->path().string()},
                            {.timeoutSeconds = 250});
    ASSERT_EQ(result.exitCode, 0) << result.err;
  }
  static void TearDownTestSuite() { delete s_folder; }

  static testing::TempFolder* s_folder;
};

testing::TempFolder* TokenizerParity::s_folder = nullptr;

TEST_P(TokenizerParity, IdsAndDecodedTextAreThoseOfTransformers) {
  const auto expected = nlohmann::json::parse(testing::readAll(*s_folder / (std::string(GetParam()) + ".json")));
  const auto loaded = Tokenizer::load(*s_folder / GetParam());
  ASSERT_TRUE(loaded.ok()) << loaded.error().text();
  const Tokenizer& tokenizer = loaded.value();
  EXPECT_EQ(tokenizer.size(), expected["size"].get<std::int64_t>());
  EXPECT_EQ(tokenizer.special().image, expected["image"].get<std::int64_t>());
  EXPECT_EQ(tokenizer.special().firstLoc, expected["loc"].get<std::int64_t>());
  ASSERT_GT(expected["cases"].size(), 300u);
  for (const auto& entry : expected["cases"]) {
    const auto text = entry["text"].get<std::string>();
    const auto ids = entry["ids"].get<text::TokenIds>();
    EXPECT_EQ(tokenizer.encode(text), ids) << entry["text"];
    EXPECT_EQ(tokenizer.decode(ids), entry["decoded"].get<std::string>()) << entry["text"];
    EXPECT_EQ(tokenizer.decode(ids, true), entry["plain"].get<std::string>()) << entry["text"];
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TokenizerParity, ::testing::Values("tiny", "trained", "old", "tiny_old", "pieces"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace roadtune
