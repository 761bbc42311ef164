// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include "core/base/random.h"
#include "core/text/loc_codec.h"
#include "tests/unit/text/small_tokenizer.h"

namespace roadtune::text {
namespace {

using testing::smallTokenizer;
using testing::TempFolder;
using testing::tokenizerJson;

TokenIds encode(const std::string& json, const std::string& text) {
  const auto tokenizer = Tokenizer::fromJson(json, "test");
  EXPECT_TRUE(tokenizer.ok()) << (tokenizer.ok() ? "" : tokenizer.error().text());
  return tokenizer.ok() ? tokenizer.value().encode(text) : TokenIds();
}

const std::string kLetters =
    R"({"<pad>":0,"<eos>":1,"<bos>":2,"<unk>":3,"a":4,"b":5,"c":6,"ab":7,"bc":8,"abc":9,"▁":10,"▁a":11})";

TEST(Tokenizer, MergesTheBestRankFirstThenTheLeftmost) {
  EXPECT_EQ(encode(tokenizerJson(kLetters, R"(["b c","a b","a bc"])"), "abc"), (TokenIds{9}));
  EXPECT_EQ(encode(tokenizerJson(kLetters, R"(["a b","b c"])"), "abc"), (TokenIds{7, 6}));
  EXPECT_EQ(encode(tokenizerJson(kLetters, R"([["b","c"],["a","b"]])"), "abcab"), (TokenIds{4, 8, 7}));
}

TEST(Tokenizer, BlanksBecomeMarksAndTakePartInMerges) {
  EXPECT_EQ(encode(tokenizerJson(kLetters, R"(["▁ a"])"), " a a"), (TokenIds{11, 11}));
  EXPECT_EQ(encode(tokenizerJson(kLetters, "[]"), "a b"), (TokenIds{4, 10, 5}));
}

TEST(Tokenizer, UnknownCharactersBecomeBytesOrOneUnknown) {
  EXPECT_EQ(encode(tokenizerJson(kLetters, "[]"), "axyb"), (TokenIds{4, 3, 5}));
  const std::string withBytes = R"({"<unk>":3,"a":4,"<0xC3>":5,"<0xA9>":6})";
  EXPECT_EQ(encode(tokenizerJson(withBytes, "[]"), "aé"), (TokenIds{4, 5, 6}));
}

TEST(Tokenizer, AddedTokensAreLeftmostLongest) {
  const std::string added =
      R"([{"id":20,"content":"<x>","special":true,"normalized":false},{"id":21,"content":"<x><x>","special":false,"normalized":false},)"
      R"({"id":22,"content":"cat","special":false,"normalized":false,"single_word":true}])";
  const std::string json = tokenizerJson(R"({"<unk>":3,"a":4,"b":5})", "[]", added);
  EXPECT_EQ(encode(json, "b<x><x><x>b"), (TokenIds{5, 21, 20, 5}));
  EXPECT_EQ(encode(json, "cat"), (TokenIds{22}));
  EXPECT_EQ(encode(json, "b cat"), (TokenIds{5, 3, 22}));
  EXPECT_EQ(encode(json, "catb").back(), 5);  // not inside a word
}

TEST(Tokenizer, AddedTokensMayEatBlanksAround) {
  const std::string added =
      R"([{"id":20,"content":"<x>","lstrip":true,"rstrip":true,"special":true,"normalized":false}])";
  EXPECT_EQ(encode(tokenizerJson(kLetters, "[]", added), "a  <x> \n b"), (TokenIds{4, 20, 5}));
}

TEST(Tokenizer, LocAndSegAreAtomicEvenWhenTheFileHasNone) {
  const auto tokenizer = Tokenizer::fromJson(tokenizerJson(kLetters, "[]"), "test").value();
  const auto ids = tokenizer.encode("<loc0000><loc1023><seg127>a<loc1024>");
  EXPECT_EQ(tokenizer.locBin(ids[0]), 0);
  EXPECT_EQ(tokenizer.locBin(ids[1]), 1023);
  EXPECT_EQ(tokenizer.segCode(ids[2]), 127);
  EXPECT_EQ(ids[1] - ids[0], 1023);
  EXPECT_EQ(ids[3], 4);
  EXPECT_FALSE(tokenizer.locBin(ids[4]));
  EXPECT_EQ(tokenizer.special().image, 12);  // the first id behind the vocabulary
  EXPECT_EQ(tokenizer.special().firstLoc, 13);
  EXPECT_EQ(tokenizer.size(), 13 + 1024 + 128);
}

TEST(Tokenizer, SpecialWordsInTextBecomeTheirIds) {
  const auto& tokenizer = smallTokenizer();
  EXPECT_EQ(tokenizer.encode("<bos><eos><pad><unk><mask>"), (TokenIds{2, 1, 0, 3, 4}));
  EXPECT_EQ(tokenizer.encode("<image>"), (TokenIds{tokenizer.special().image}));
}

TEST(Tokenizer, RunsOfNewlinesAndBlanksAreSingleTokens) {
  const auto& tokenizer = smallTokenizer();
  EXPECT_EQ(tokenizer.encode("\n").size(), 1u);
  EXPECT_EQ(tokenizer.encode("\n\n\n").size(), 1u);
  EXPECT_EQ(tokenizer.encode("   ").size(), 1u);
  EXPECT_EQ(tokenizer.encode("\n \n").size(), 3u);
}

TEST(Tokenizer, TheWordsOfTheTasksAreSingleTokens) {
  const auto& tokenizer = smallTokenizer();
  EXPECT_EQ(tokenizer.encode("detect vehicle ; pedestrian ; cyclist\n").size(), 7u);
  const auto ids = tokenizer.encode("<loc0001><loc0002><loc0003><loc0004> sign ; ");
  EXPECT_EQ(ids.size(), 7u);
  EXPECT_EQ(tokenizer.pieceOf(ids.back()), "▁");
}

TEST(Tokenizer, DecodingIsLossless) {
  const auto& tokenizer = smallTokenizer();
  for (const char* text : {"", " ", "a b  c\n\nd", "é 東京 😊", "<loc0007> car ; ", "\t\r\n", "▁"}) {
    const std::string expected = std::string(text) == "▁" ? " " : text;
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), expected);
  }
}

TEST(Tokenizer, DecodingCanSkipSpecialTokensButKeepsLocations) {
  const auto& tokenizer = smallTokenizer();
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("<bos><loc0001> sign<eos>"), true), "<loc0001> sign");
}

TEST(Tokenizer, BrokenBytesDecodeToReplacementCharacters) {
  const auto& tokenizer = smallTokenizer();
  const TokenIds broken = {*tokenizer.idOf("<0xC3>"), *tokenizer.idOf("<0x28>")};
  EXPECT_EQ(tokenizer.decode(broken), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(tokenizer.decode(TokenIds{-1, 999999}), "");
  EXPECT_EQ(tokenizer.pieceOf(999999), "<unk>");
}

TEST(Tokenizer, AnyBytesCanBeEncodedAndComeBack) {
  const auto& tokenizer = smallTokenizer();
  Random random(9);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::uint64_t n = random.below(20); n > 0; --n) text += static_cast<char>(random.below(256));
    const auto ids = tokenizer.encode(text);
    for (const auto id : ids) ASSERT_TRUE(id >= 0 && id < tokenizer.size());
    tokenizer.decode(ids);
  }
}

TEST(Tokenizer, RefusesFilesItCannotFollow) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "readable"},
      {"[]", "object"},
      {"{}", "model"},
      {R"({"model":{"type":"Unigram","vocab":[]}})", "Unigram"},
      {R"({"model":{"type":"BPE","vocab":[],"merges":[]}})", "vocab"},
      {R"({"model":{"type":"BPE","vocab":{"a":-1},"merges":[]}})", "id"},
      {R"({"model":{"type":"BPE","vocab":{"a":99999999999},"merges":[]}})", "id"},
      {R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}})", "not in the vocabulary"},
      {R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a"]}})", "pair"},
      {R"({"model":{"type":"BPE","vocab":{"a":0},"merges":[],"end_of_word_suffix":"</w>"}})", "end_of_word_suffix"},
      {R"({"normalizer":{"type":"NFKC"},"model":{"type":"BPE","vocab":{"a":0},"merges":[]}})", "NFKC"},
      {R"({"pre_tokenizer":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":{"a":0},"merges":[]}})", "ByteLevel"},
      {R"({"added_tokens":[{"id":1}],"model":{"type":"BPE","vocab":{"a":0},"merges":[]}})", "content"},
  };
  for (const auto& [json, word] : cases) {
    const auto result = Tokenizer::fromJson(json, "tokenizer.json");
    ASSERT_FALSE(result.ok()) << json;
    EXPECT_NE(result.error().text().find(word), std::string::npos) << result.error().text();
    EXPECT_NE(result.error().text().find("tokenizer.json"), std::string::npos);
  }
}

TEST(Tokenizer, RefusesBrokenSentencePieceFiles) {
  const TempFolder folder;
  Random random(2);
  for (int round = 0; round < 500; ++round) {
    std::string bytes = round % 2 ? std::string("\x0a\x07\x0a\x05hello", 9) : std::string();
    for (std::uint64_t n = random.below(30); n > 0; --n) bytes += static_cast<char>(random.below(256));
    folder.write("tokenizer.model", bytes);
    const auto result = Tokenizer::fromSentencePiece(folder / "tokenizer.model");
    if (!result.ok()) {
      EXPECT_EQ(result.error().kind, ErrorKind::BadInput);
    }
  }
}

TEST(Tokenizer, AFolderWithoutATokenizerIsNamed) {
  const TempFolder folder;
  const auto result = Tokenizer::load(folder.path());
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().text().find("tokenizer.json"), std::string::npos);
}

TEST(Tokenizer, ATokenizerConfigRefusesNonsense) {
  for (const char* text : {"[]", "{", R"({"tokenizer_class":7})"}) {
    const TempFolder folder;
    folder.write("tokenizer.json", tokenizerJson(kLetters, "[]"));
    folder.write("tokenizer_config.json", text);
    EXPECT_FALSE(Tokenizer::load(folder.path()).ok()) << text;
  }
}

}  // namespace
}  // namespace roadtune::text
