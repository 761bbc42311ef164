// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/data/image/image.h"
#include "core/data/records/damaged_byte.h"
#include "core/data/records/tfrecord_reader.h"
#include "core/data/records/tfrecord_writer.h"
#include "core/data/records/wire_reader.h"
#include "core/data/records/wire_writer.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roadtune::data {
namespace {

std::string fromHex(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return out;
}

struct Walked {
  std::vector<std::string> payloads;
  std::vector<bool> sound;
  std::vector<RecordProblem> problems;
};

Walked walk(const std::filesystem::path& path, TfRecordReader::PayloadCrc check = TfRecordReader::PayloadCrc::Check) {
  auto reader = TfRecordReader::open(path, check);
  EXPECT_TRUE(reader.ok()) << reader.error().text();
  Walked out;
  while (const auto record = reader.value().next()) {
    out.payloads.emplace_back(record->payload.begin(), record->payload.end());
    out.sound.push_back(record->payloadOk);
    EXPECT_EQ(record->payloadOffset, record->offset + kTfRecordHeaderBytes);
  }
  out.problems = reader.value().problems();
  return out;
}

std::string threeRecords() {
  std::string file;
  appendTfRecord(file, "first record");
  appendTfRecord(file, std::string(300, 'x'));
  appendTfRecord(file, "");
  return file;
}

// The bytes that TensorFlow and TensorBoard write for the payload "abc".
TEST(TfRecord, writesTheGoldenBytes) {
  std::string file;
  appendTfRecord(file, "abc");
  EXPECT_EQ(file, fromHex("0300000000000000b099490e6162636e57f121"));
}

TEST(TfRecord, readsWhatItWrote) {
  const testing::TempFolder folder;
  const Walked walked = walk(folder.write("a.tfrecord", threeRecords()));
  ASSERT_EQ(walked.payloads.size(), 3U);
  EXPECT_EQ(walked.payloads[0], "first record");
  EXPECT_EQ(walked.payloads[2], "");
  EXPECT_TRUE(walked.problems.empty());
}

TEST(TfRecord, survivesEveryTruncation) {
  const testing::TempFolder folder;
  const std::string file = threeRecords();
  const std::size_t ends[] = {0, 28, 28 + 316, file.size()};
  for (std::size_t size = 0; size <= file.size(); ++size) {
    const Walked walked = walk(folder.write("cut.tfrecord", file.substr(0, size)));
    const bool whole = std::find(std::begin(ends), std::end(ends), size) != std::end(ends);
    EXPECT_EQ(walked.problems.empty(), whole) << size;
    const std::size_t expected = size >= ends[3] ? 3 : size >= ends[2] ? 2 : size >= ends[1] ? 1 : 0;
    EXPECT_EQ(walked.payloads.size(), expected) << size;
    if (!whole) {
      EXPECT_EQ(walked.problems.front().fault, RecordFault::Truncated) << size;
      EXPECT_EQ(walked.problems.front().offset, ends[expected]) << size;
    }
  }
}

TEST(TfRecord, namesEveryFlippedByteAndKeepsTheOtherRecords) {
  const testing::TempFolder folder;
  const std::string file = threeRecords();
  for (std::size_t at = 0; at < file.size(); ++at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    const Walked walked = walk(folder.write("flip.tfrecord", damaged));
    ASSERT_EQ(walked.problems.size(), 1U) << at;
    const std::size_t record = at < 28 ? 0 : at < 344 ? 1 : 2;
    const std::size_t start = record == 0 ? 0 : record == 1 ? 28 : 344;
    EXPECT_EQ(walked.problems[0].offset, start) << at;
    if (at - start < kTfRecordHeaderBytes) {
      EXPECT_EQ(walked.problems[0].fault, RecordFault::LengthCrc) << at;
      EXPECT_EQ(walked.payloads.size(), 2U) << at;
    } else {
      EXPECT_EQ(walked.problems[0].fault, RecordFault::PayloadCrc) << at;
      ASSERT_EQ(walked.payloads.size(), 3U) << at;
      EXPECT_FALSE(walked.sound[record]) << at;
    }
  }
}

TEST(TfRecord, goesOnBehindForeignBytes) {
  const testing::TempFolder folder;
  std::string file;
  appendTfRecord(file, "one");
  file += std::string(1000, 'Z');
  appendTfRecord(file, "two");
  const Walked walked = walk(folder.write("garbage.tfrecord", file));
  ASSERT_EQ(walked.payloads.size(), 2U);
  EXPECT_EQ(walked.payloads[1], "two");
  ASSERT_EQ(walked.problems.size(), 1U);
  EXPECT_EQ(walked.problems[0].offset, 19U);
  EXPECT_NE(walked.problems[0].action.find("1000 bytes"), std::string::npos);
}

TEST(TfRecord, doesNotLookAtPayloadsUnlessAsked) {
  const testing::TempFolder folder;
  std::string file = threeRecords();
  file[14] ^= 1;
  EXPECT_TRUE(walk(folder.write("a.tfrecord", file), TfRecordReader::PayloadCrc::Skip).problems.empty());
}

TEST(TfRecord, refusesAnAbsurdLengthWithASoundCrc) {
  const testing::TempFolder folder;
  std::string file(8, '\xff');
  const std::uint32_t crc = maskedCrc32c(asBytes(file));
  file.append(reinterpret_cast<const char*>(&crc), 4);
  file += "tail";
  const Walked walked = walk(folder.write("huge.tfrecord", file));
  EXPECT_TRUE(walked.payloads.empty());
  ASSERT_EQ(walked.problems.size(), 1U);
  EXPECT_EQ(walked.problems[0].fault, RecordFault::Truncated);
}

TEST(TfRecord, seeksToAKnownRecord) {
  const testing::TempFolder folder;
  auto reader = TfRecordReader::open(folder.write("a.tfrecord", threeRecords())).value();
  ASSERT_TRUE(reader.seek(344).ok());
  EXPECT_EQ(reader.next()->payload.size(), 0U);
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_FALSE(reader.seek(100000).ok());
  EXPECT_FALSE(TfRecordReader::open(folder / "absent.tfrecord").ok());
}

TEST(FindDamagedByte, findsEveryFlippedBitAndMostChangedBytes) {
  std::string payload;
  for (int i = 0; i < 3000; ++i) payload.push_back(static_cast<char>(i * 37 ^ i >> 3));
  const std::uint32_t stored = maskedCrc32c(asBytes(payload));
  EXPECT_FALSE(findDamagedByte(asBytes(payload), stored).has_value());
  for (std::size_t at = 0; at < payload.size(); at += 97)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = payload;
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
      EXPECT_EQ(findDamagedByte(asBytes(damaged), stored), at);
    }
  std::string damaged = payload;
  damaged[1234] = static_cast<char>(damaged[1234] ^ 0x5b);
  EXPECT_EQ(findDamagedByte(asBytes(damaged), stored), 1234U);
  damaged[99] = static_cast<char>(damaged[99] ^ 0x33);
  EXPECT_FALSE(findDamagedByte(asBytes(damaged), stored).has_value());
  EXPECT_FALSE(findDamagedByte({}, 5).has_value());
}

std::vector<WireField> fieldsOf(std::string_view bytes, bool& broken) {
  WireReader reader(asBytes(bytes));
  std::vector<WireField> fields;
  WireField field;
  while (reader.next(field)) fields.push_back(field);
  broken = reader.broken();
  return fields;
}

TEST(WireReader, readsEveryKindOfField) {
  WireWriter inner;
  inner.varint(1, 150);
  WireWriter out;
  out.varint(1, ~0ULL);
  out.fixedDouble(2, -2.5);
  out.fixedFloat(3, 0.5F);
  out.bytes(4, "text");
  out.message(536870911, inner);
  bool broken = true;
  const auto fields = fieldsOf(out.data(), broken);
  EXPECT_FALSE(broken);
  ASSERT_EQ(fields.size(), 5U);
  EXPECT_EQ(fields[0].asInt(), -1);
  EXPECT_EQ(fields[1].asDouble(), -2.5);
  EXPECT_EQ(fields[2].asDouble(), 0.5);
  EXPECT_EQ(fields[3].asText(), "text");
  EXPECT_EQ(fields[4].number, 536870911U);
  EXPECT_EQ(fields[4].bytes.size(), 3U);
}

TEST(WireReader, decodesZigzag) {
  for (const auto& [raw, value] :
       {std::pair<std::uint64_t, std::int64_t>{0, 0}, {1, -1}, {2, 1}, {4294967294, 2147483647}, {~0ULL, INT64_MIN}}) {
    WireField field;
    field.value = raw;
    EXPECT_EQ(field.asZigzag(), value);
  }
}

TEST(WireReader, stepsOverGroups) {
  bool broken = true;
  // Field 1 starts a group that holds field 2 = 5 and a group 3; then field 4 = 7.
  const auto fields = fieldsOf(fromHex("0b10051b1c0c2007"), broken);
  EXPECT_FALSE(broken);
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].type, WireType::GroupStart);
  EXPECT_EQ(fields[0].bytes.size(), 4U);
  EXPECT_EQ(fields[1].value, 7U);
}

TEST(WireReader, findsWhatIsBroken) {
  const char* cases[] = {"08",                      // a tag without its value
                         "0880808080808080808080",  // a varint of eleven bytes
                         "0a05616263",              // three of five bytes
                         "0dffff",                  // half a fixed32
                         "0c",                      // the end of no group
                         "0b1004",                  // a group without end
                         "0b14",                    // ended by another number
                         "00",                      // field number 0
                         "0f"};                     // wire type 7
  for (const char* hex : cases) {
    bool broken = false;
    fieldsOf(fromHex(hex), broken);
    EXPECT_TRUE(broken) << hex;
  }
  bool broken = false;
  fieldsOf(std::string(200, '\x0b'), broken);  // groups in groups without end
  EXPECT_TRUE(broken);
}

}  // namespace
}  // namespace roadtune::data
