// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/prompt.h"

#include "tests/unit/text/small_tokenizer.h"

namespace roadtune::text {
namespace {

using testing::smallTokenizer;

EncodedPrompt encoded(std::string_view prompt, std::optional<std::string_view> suffix,
                      PromptOptions options = {4, 1, 0}) {
  auto result = encodePrompt(smallTokenizer(), prompt, suffix, options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().text());
  return result.ok() ? std::move(result).value() : EncodedPrompt();
}

std::int64_t image() { return smallTokenizer().special().image; }
std::int64_t newline() { return *smallTokenizer().idOf("\n"); }

TEST(Prompt, AnEmptyPromptIsImagesBosAndNewline) {
  const auto sample = encoded("", std::nullopt);
  EXPECT_EQ(sample.inputIds, (TokenIds{image(), image(), image(), image(), 2, newline()}));
  EXPECT_EQ(sample.tokenTypeIds, TokenIds(6, 0));
  EXPECT_EQ(sample.labels, TokenIds(6, kIgnoredLabel));
}

TEST(Prompt, TheSuffixIsLabelledAndEndsWithEos) {
  const auto& tokenizer = smallTokenizer();
  const auto sample = encoded("detect sign", "<loc0001> sign");
  const auto answer = tokenizer.encode("<loc0001> sign");
  ASSERT_EQ(sample.inputIds.size(), sample.prefixLength + answer.size() + 1);
  EXPECT_EQ(sample.inputIds.back(), 1);
  EXPECT_EQ(sample.inputIds[sample.prefixLength - 1], newline());
  for (std::size_t i = 0; i < sample.inputIds.size(); ++i) {
    const bool suffix = i >= sample.prefixLength;
    EXPECT_EQ(sample.tokenTypeIds[i], suffix ? 1 : 0);
    EXPECT_EQ(sample.labels[i], suffix ? sample.inputIds[i] : kIgnoredLabel);
  }
}

TEST(Prompt, AnEmptySuffixIsStillEos) {
  const auto sample = encoded("x", "");
  EXPECT_EQ(sample.labels.back(), 1);
  EXPECT_EQ(sample.inputIds.size(), sample.prefixLength + 1);
}

TEST(Prompt, ImageWordsInTheTextAreExpandedInPlaceAndBosFollowsTheLast) {
  const auto sample = encoded("a<image>b<image>c", "d", {2, 2, 0});
  const auto& t = smallTokenizer();
  TokenIds expected = t.encode("a");
  expected.insert(expected.end(), {image(), image()});
  for (const auto id : t.encode("b")) expected.push_back(id);
  expected.insert(expected.end(), {image(), image(), 2});
  for (const auto id : t.encode("c\n")) expected.push_back(id);
  EXPECT_EQ(
      TokenIds(sample.inputIds.begin(), sample.inputIds.begin() + static_cast<std::ptrdiff_t>(sample.prefixLength)),
      expected);
}

TEST(Prompt, TheNumberOfImagesMustFit) {
  for (const char* prompt : {"<image><image>x", "<image>"}) {
    const auto result = encodePrompt(smallTokenizer(), prompt, std::nullopt, {4, prompt[7] ? 1 : 2, 0});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::BadInput);
  }
}

TEST(Prompt, AnAnswerHoldsNoPictures) {
  const auto result = encodePrompt(smallTokenizer(), "x", "a<image>b", {4, 1, 0});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::BadInput);
  EXPECT_NE(result.error().text().find("answer"), std::string::npos) << result.error().text();
}

TEST(Prompt, SeveralImagesComeFirstWhenTheTextHasNone) {
  const auto sample = encoded("x", std::nullopt, {3, 2, 0});
  EXPECT_EQ(std::count(sample.inputIds.begin(), sample.inputIds.end(), image()), 6);
  EXPECT_EQ(sample.inputIds[6], 2);
}

TEST(Prompt, CuttingNeverTakesEos) {
  const auto whole = encoded("detect sign", "<loc0001><loc0002><loc0003><loc0004> sign");
  const auto length = static_cast<int>(whole.inputIds.size());
  for (int limit = length; limit >= static_cast<int>(whole.prefixLength) + 2; --limit) {
    const auto cut = encoded("detect sign", "<loc0001><loc0002><loc0003><loc0004> sign", {4, 1, limit});
    EXPECT_EQ(cut.inputIds.size(), static_cast<std::size_t>(limit));
    EXPECT_EQ(cut.cutTokens, static_cast<std::size_t>(length - limit));
    EXPECT_EQ(cut.inputIds.back(), 1);
    EXPECT_EQ(cut.labels.size(), cut.inputIds.size());
  }
}

TEST(Prompt, APromptThatAloneIsTooLongIsAnError) {
  const auto result = encodePrompt(smallTokenizer(), "detect sign", "x", {4, 1, 8});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().text().find("max_length"), std::string::npos);
  EXPECT_FALSE(encodePrompt(smallTokenizer(), "detect sign", std::nullopt, {4, 1, 7}).ok());
}

TEST(Batch, PadsOnTheLeftByDefault) {
  const auto a = encoded("x", "y"), b = encoded("detect sign x", "y y");
  const auto batch = padBatch({a, b}, 0);
  ASSERT_EQ(batch.rows, 2);
  ASSERT_EQ(batch.length, static_cast<std::int64_t>(b.inputIds.size()));
  const auto missing = static_cast<std::ptrdiff_t>(b.inputIds.size() - a.inputIds.size());
  ASSERT_GT(missing, 0);
  for (std::ptrdiff_t i = 0; i < missing; ++i) {
    EXPECT_EQ(batch.inputIds[static_cast<std::size_t>(i)], 0);
    EXPECT_EQ(batch.attentionMask[static_cast<std::size_t>(i)], 0);
    EXPECT_EQ(batch.tokenTypeIds[static_cast<std::size_t>(i)], 0);
    EXPECT_EQ(batch.labels[static_cast<std::size_t>(i)], kIgnoredLabel);
  }
  EXPECT_EQ(TokenIds(batch.inputIds.begin() + missing, batch.inputIds.begin() + batch.length), a.inputIds);
}

TEST(Batch, PadsOnTheRightAndToAMultipleWhenAsked) {
  const auto a = encoded("x", "y");
  const auto batch = padBatch({a}, 7, PaddingSide::Right, 16);
  EXPECT_EQ(batch.length % 16, 0);
  EXPECT_EQ(batch.inputIds[0], image());
  EXPECT_EQ(batch.inputIds.back(), 7);
  EXPECT_EQ(batch.attentionMask.back(), 0);
}

TEST(Batch, AnEmptyBatchIsEmpty) { EXPECT_EQ(padBatch({}, 0).rows, 0); }

}  // namespace
}  // namespace roadtune::text
