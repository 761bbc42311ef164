// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/safetensors.h"

#include "core/base/random.h"
#include "core/model/safetensors_writer.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/model/checkpoint_bytes.h"

#include <gtest/gtest.h>

namespace roadtune::model {
namespace {

using testing::safetensorsBytes;
using testing::TempFolder;

std::span<const std::uint8_t> asBytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Result<SafetensorsHeader> parse(const std::string& file) {
  return parseSafetensorsHeader(asBytes(file), file.size(), "test.safetensors");
}

std::string refusal(const std::string& header, const std::string& data) {
  const auto result = parse(safetensorsBytes(header, data));
  if (result.ok()) return "accepted";
  EXPECT_EQ(result.error().kind, ErrorKind::BadInput);
  EXPECT_EQ(result.error().where, "test.safetensors");
  return result.error().what;
}

TEST(SafetensorsHeader, ReadsShapesOffsetsAndMetadata) {
  const std::string file =
      safetensorsBytes(R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]},)"
                       R"("a":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]}}   )",
                       "xxxxyyyyyyyy");
  const auto result = parse(file);  // keeps views of it
  ASSERT_TRUE(result.ok()) << result.error().text();
  const auto& header = result.value();
  ASSERT_EQ(header.tensors.size(), 2u);
  EXPECT_EQ(header.tensors[0].name, "a");
  EXPECT_EQ(header.tensors[0].dtype, Dtype::BF16);
  EXPECT_EQ(header.tensors[1].shape, std::vector<std::int64_t>{2});
  EXPECT_EQ(header.tensors[1].bytes.size(), 8u);
  EXPECT_EQ(header.tensors[1].bytes[0], 'y');
  EXPECT_EQ(header.metadata.at("format"), "pt");
}

TEST(SafetensorsHeader, AcceptsScalarsAndEmptyTensors) {
  const auto result = parse(safetensorsBytes(
      R"({"s":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"e":{"dtype":"I64","shape":[0,7],"data_offsets":[4,4]}})",
      "abcd"));
  ASSERT_TRUE(result.ok()) << result.error().text();
  EXPECT_EQ(result.value().tensors[0].elements(), 1);
  EXPECT_EQ(result.value().tensors[1].elements(), 0);
}

TEST(SafetensorsHeader, RefusesFilesThatAreTooShort) {
  EXPECT_FALSE(parse("").ok());
  EXPECT_FALSE(parse("1234567").ok());
  EXPECT_FALSE(parse(std::string(8, '\0')).ok());
}

TEST(SafetensorsHeader, RefusesAHeaderLongerThanTheFileOrTheLimit) {
  std::string file(16, '\0');
  file[0] = 100;
  EXPECT_NE(parse(file).error().what.find("claims 100 bytes"), std::string::npos);
  file[7] = 0x7f;
  EXPECT_NE(parse(file).error().what.find("claims"), std::string::npos);
}

TEST(SafetensorsHeader, RefusesOverlapsHolesAndTrailingBytes) {
  const std::string overlap =
      R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})";
  EXPECT_NE(refusal(overlap, "123456").find("overlaps"), std::string::npos);
  const std::string hole =
      R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[3,5]}})";
  EXPECT_NE(refusal(hole, "12345").find("belong to nothing"), std::string::npos);
  EXPECT_NE(refusal(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "123").find("at the end"),
            std::string::npos);
}

TEST(SafetensorsHeader, NamesTheTensorThatIsCutShort) {
  const auto what = refusal(R"({"some.weight":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", "12345678");
  EXPECT_NE(what.find("some.weight"), std::string::npos);
  EXPECT_NE(what.find("cut short"), std::string::npos);
}

TEST(SafetensorsHeader, RefusesShapesThatDoNotExplainTheBytes) {
  EXPECT_NE(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "1234").find("does not explain"),
            std::string::npos);
  const std::string huge = R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,4]}})";
  EXPECT_NE(refusal(huge, "1234").find("does not explain"), std::string::npos);
  const std::string wraps = R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})";
  EXPECT_NE(refusal(wraps, "").find("does not explain"), std::string::npos);
}

TEST(SafetensorsHeader, RefusesUnknownTypesAndMissingFields) {
  EXPECT_NE(refusal(R"({"a":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}})", "1234").find("F31"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"a":{"shape":[1],"data_offsets":[0,4]}})", "1234").find("dtype"), std::string::npos);
  EXPECT_NE(refusal(R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", "1234").find("shape"), std::string::npos);
  EXPECT_NE(refusal(R"({"a":{"dtype":"F32","shape":[1]}})", "1234").find("data_offsets"), std::string::npos);
  EXPECT_NE(refusal(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "1234").find("whole number"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", "1234").find("whole number"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "1234").find("range"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"a":7})", "").find("object"), std::string::npos);
}

TEST(SafetensorsHeader, RefusesTheSameNameTwice) {
  const std::string twice =
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})";
  EXPECT_NE(refusal(twice, "12").find("twice"), std::string::npos);
}

TEST(SafetensorsHeader, RefusesWhatIsNotJson) {
  for (const char* header : {"[]", "null", " {}", "{\"a\":", "{\"a\":{}}x", "{'a':1}", "\xff\xfe{}"})
    EXPECT_NE(refusal(header, ""), "accepted") << header;
  EXPECT_NE(refusal(R"({"__metadata__":{"a":1}})", "").find("not text"), std::string::npos);
  std::string deep = "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_NE(refusal(deep, ""), "accepted");
}

TEST(SafetensorsHeader, SurvivesRandomDamage) {
  const std::string good = safetensorsBytes(
      R"({"__metadata__":{"format":"pt"},"layer.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
      R"("layer.bias":{"dtype":"F16","shape":[3],"data_offsets":[24,30]}})",
      std::string(30, 'z'));
  ASSERT_TRUE(parse(good).ok());
  Random random(4);
  for (int round = 0; round < 20000; ++round) {
    std::string bad = good;
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n)
      bad[random.below(bad.size())] = static_cast<char>(random.below(256));
    if (random.below(4) == 0) bad.resize(random.below(bad.size() + 1));
    const auto result = parse(bad);
    if (!result.ok()) continue;
    std::size_t covered = 0;
    for (const TensorView& tensor : result.value().tensors) covered += tensor.bytes.size();
    EXPECT_EQ(covered + result.value().headerBytes, bad.size());
  }
}

TEST(SafetensorsWriter, WritesTheReferenceLayout) {
  const TempFolder folder;
  const std::string f32 = "aaaabbbb", u8 = "xyz", i64 = "12345678";
  ASSERT_TRUE(writeSafetensors(folder / "t.safetensors", {{"z.small", Dtype::U8, {3}, asBytes(u8)},
                                                          {"b", Dtype::F32, {2}, asBytes(f32)},
                                                          {"a", Dtype::F32, {1, 2}, asBytes(f32)},
                                                          {"ids", Dtype::I64, {1}, asBytes(i64)}})
                  .ok());
  const std::string bytes = testing::readAll(folder / "t.safetensors");
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
      R"("a":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]},"b":{"dtype":"F32","shape":[2],"data_offsets":[16,24]},)"
      R"("z.small":{"dtype":"U8","shape":[3],"data_offsets":[24,27]}})";
  std::string padded = header;
  padded.append((8 - padded.size() % 8) % 8, ' ');
  EXPECT_EQ(bytes, safetensorsBytes(padded, i64 + f32 + f32 + u8));
}

TEST(SafetensorsWriter, TakesTensorsInAnyOrderAndInParts) {
  const TempFolder folder;
  auto writer = SafetensorsWriter::create(folder / "t.safetensors", {{"a", Dtype::U8, {4}}, {"b", Dtype::U8, {2}}});
  ASSERT_TRUE(writer.ok());
  EXPECT_TRUE(writer.value()->write("b", asBytes("yz")).ok());
  EXPECT_TRUE(writer.value()->write("a", asBytes("34"), 2).ok());
  EXPECT_FALSE(std::filesystem::exists(folder / "t.safetensors"));
  EXPECT_FALSE(writer.value()->finish().ok());  // half of a is missing
  EXPECT_TRUE(writer.value()->write("a", asBytes("12")).ok());
  ASSERT_TRUE(writer.value()->finish().ok());
  const auto file = SafetensorsFile::open(folder / "t.safetensors");
  ASSERT_TRUE(file.ok());
  const auto* a = file.value()->find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(std::string(a->bytes.begin(), a->bytes.end()), "1234");
  EXPECT_EQ(file.value()->find("c"), nullptr);
}

TEST(SafetensorsWriter, RefusesWhatWasNotPlanned) {
  const TempFolder folder;
  auto writer = SafetensorsWriter::create(folder / "t.safetensors", {{"a", Dtype::U8, {4}}});
  ASSERT_TRUE(writer.ok());
  EXPECT_FALSE(writer.value()->write("b", asBytes("1")).ok());
  EXPECT_FALSE(writer.value()->write("a", asBytes("12345")).ok());
  EXPECT_FALSE(writer.value()->write("a", asBytes("12"), 3).ok());
  EXPECT_FALSE(SafetensorsWriter::create(folder / "u", {{"a", Dtype::U8, {1}}, {"a", Dtype::U8, {1}}}).ok());
}

TEST(SafetensorsWriter, LeavesNothingBehindWhenItIsDropped) {
  const TempFolder folder;
  { const auto writer = SafetensorsWriter::create(folder / "t.safetensors", {{"a", Dtype::U8, {4}}}); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SafetensorsWriter, FailsWithTheFolderInTheMessage) {
  const auto writer = SafetensorsWriter::create("/nonexistent/folder/t.safetensors", {{"a", Dtype::U8, {4}}});
  ASSERT_FALSE(writer.ok());
  EXPECT_NE(writer.error().text().find("/nonexistent/folder"), std::string::npos);
}

TEST(SafetensorsFile, ReportsAMissingFile) { EXPECT_FALSE(SafetensorsFile::open("/nonexistent.safetensors").ok()); }

}  // namespace
}  // namespace roadtune::model
