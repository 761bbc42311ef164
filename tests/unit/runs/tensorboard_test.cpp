// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/proto_wire.h"
#include "core/runs/record_frame.h"
#include "core/runs/tensorboard_reader.h"
#include "core/runs/tensorboard_writer.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roadtune::runs {
namespace {

using testing::readAll;
using testing::TempFolder;

std::string hex(const std::string& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::vector<TensorboardScalar> scalarsIn(const fs::path& file) {
  std::vector<TensorboardScalar> scalars;
  TensorboardReader reader(file);
  EXPECT_TRUE(reader.poll([&](const TensorboardScalar& scalar) { scalars.push_back(scalar); }).ok());
  return scalars;
}

TEST(Tensorboard, RecordsAreTheReferenceBytes) {
  EXPECT_EQ(hex(tensorboardVersionRecord(1.0)),
            "1800000000000000a37f4b2209000000000000f03f1a0d627261696e2e4576656e743a3286bf577a");
  EXPECT_EQ(hex(tensorboardScalarRecord(2.0, 7, {{"train/loss", 0.5f}})),
            "200000000000000029eda95009000000000000004010072a130a110a0a747261696e2f6c6f7373150000003f9e1bfae5");
}

TEST(Tensorboard, ReadsBackWhatItWrote) {
  TempFolder folder;
  fs::path file;
  {
    auto writer = TensorboardWriter::open(folder / "runs", 1767225600.0);
    ASSERT_TRUE(writer.ok());
    file = writer.value().path();
    ASSERT_TRUE(writer.value().add(1767225601.5, 1, {{"train/loss", 2.5f}, {"train/learning_rate", 1e-5f}}).ok());
    ASSERT_TRUE(writer.value().add(1767225602.5, 2, {{"train/loss", NAN}}).ok());
  }
  EXPECT_TRUE(file.filename().string().starts_with("events.out.tfevents.1767225600."));
  const auto scalars = scalarsIn(file);
  ASSERT_EQ(scalars.size(), 3u);
  EXPECT_EQ(scalars[1].tag, "train/learning_rate");
  EXPECT_EQ(scalars[1].step, 1);
  EXPECT_EQ(scalars[1].wallTime, 1767225601.5);
  EXPECT_FLOAT_EQ(static_cast<float>(scalars[1].value), 1e-5f);
  EXPECT_TRUE(std::isnan(scalars[2].value));
}

TEST(Tensorboard, AResumedRunContinuesItsFileBehindTheLastWholeRecord) {
  TempFolder folder;
  fs::path file;
  {
    auto writer = TensorboardWriter::open(folder.path(), 1000);
    file = writer.value().path();
    ASSERT_TRUE(writer.value().add(1, 1, {{"a", 1.f}}).ok());
  }
  const std::string whole = readAll(file);
  folder.write(file.filename().string(), whole + tensorboardScalarRecord(2, 2, {{"a", 2.f}}).substr(0, 20));
  {
    auto writer = TensorboardWriter::open(folder.path(), 2000);
    ASSERT_TRUE(writer.ok());
    EXPECT_EQ(writer.value().path(), file);
    ASSERT_TRUE(writer.value().add(3, 3, {{"a", 3.f}}).ok());
  }
  const auto scalars = scalarsIn(file);
  ASSERT_EQ(scalars.size(), 2u);
  EXPECT_EQ(scalars[1].step, 3);
}

TEST(Tensorboard, DoesNotTouchTheFileOfAnotherProgram) {
  TempFolder folder;
  const auto other = folder.write("events.out.tfevents.0000000001.host", tensorboardVersionRecord(1.0));
  auto writer = TensorboardWriter::open(folder.path(), 2000);
  ASSERT_TRUE(writer.ok());
  EXPECT_NE(writer.value().path(), other);
  EXPECT_EQ(readAll(other), tensorboardVersionRecord(1.0));
}

TEST(Tensorboard, AnIncompleteRecordIsNotYet) {
  TempFolder folder;
  const std::string first = tensorboardScalarRecord(1, 1, {{"a", 1.f}}),
                    second = tensorboardScalarRecord(2, 2, {{"a", 2.f}});
  for (std::size_t cut = 0; cut < second.size(); ++cut) {
    const auto file = folder.write("f.tfevents", first + second.substr(0, cut));
    TensorboardReader reader(file);
    int count = 0;
    const auto visit = [&](const TensorboardScalar&) { ++count; };
    ASSERT_TRUE(reader.poll(visit).ok());
    ASSERT_EQ(count, 1);
    ASSERT_FALSE(reader.damaged().has_value()) << cut;
    folder.write("f.tfevents", first + second);
    ASSERT_TRUE(reader.poll(visit).ok());
    ASSERT_EQ(count, 2);
  }
}

TEST(Tensorboard, DamageEndsTheFileAndIsTold) {
  TempFolder folder;
  const std::string first = tensorboardScalarRecord(1, 1, {{"a", 1.f}});
  std::string second = tensorboardScalarRecord(2, 2, {{"a", 2.f}});
  second[20] ^= 1;
  const auto file = folder.write("f.tfevents", first + second + first);
  TensorboardReader reader(file);
  int count = 0;
  ASSERT_TRUE(reader.poll([&](const TensorboardScalar&) { ++count; }).ok());
  EXPECT_EQ(count, 1);
  EXPECT_EQ(reader.damaged(), first.size());
}

std::string tensorEvent(const std::string& tensor) {
  std::string value, summary, event;
  putBytesField(value, 1, "tag");
  putBytesField(value, 8, tensor);
  putBytesField(summary, 1, value);
  putDoubleField(event, 1, 5.0);
  putVarintField(event, 2, 9);
  putBytesField(event, 5, summary);
  return event;
}

std::vector<double> valuesOf(const std::string& event) {
  std::vector<double> values;
  EXPECT_TRUE(decodeTensorboardEvent(event, [&](const TensorboardScalar& scalar) { values.push_back(scalar.value); }));
  return values;
}

TEST(Tensorboard, TensorsOfOneNumberAreScalarsWhateverTheirType) {
  std::string listed, content, whole, half;
  putVarintField(listed, 1, 1);
  putFloatField(listed, 5, 0.25f);
  EXPECT_EQ(valuesOf(tensorEvent(listed)), (std::vector<double>{0.25}));
  putVarintField(content, 1, 2);
  putBytesField(content, 4, std::string("\0\0\0\0\0\0\xf0\x3f", 8));
  EXPECT_EQ(valuesOf(tensorEvent(content)), (std::vector<double>{1.0}));
  putVarintField(whole, 1, 9);
  putBytesField(whole, 10, "\x96\x01");
  EXPECT_EQ(valuesOf(tensorEvent(whole)), (std::vector<double>{150}));
  putVarintField(half, 1, 19);
  putBytesField(half, 13, "\x80\x78");  // 0x3c00: one
  EXPECT_EQ(valuesOf(tensorEvent(half)), (std::vector<double>{1}));
}

TEST(Tensorboard, LargerTensorsAreNoScalars) {
  std::string dimension, shape, tensor;
  putVarintField(dimension, 1, 3);
  putBytesField(shape, 2, dimension);
  putVarintField(tensor, 1, 2);
  putBytesField(tensor, 2, shape);
  putBytesField(tensor, 4, std::string(24, '\0'));
  EXPECT_TRUE(valuesOf(tensorEvent(tensor)).empty());
}

TEST(Tensorboard, RefusesBytesThatAreNoEvent) {
  const auto ignore = [](const TensorboardScalar&) {};
  EXPECT_FALSE(decodeTensorboardEvent("\xff\xff\xff", ignore));
  EXPECT_FALSE(decodeTensorboardEvent(std::string("\x2a\x7f", 2), ignore));
}

}  // namespace
}  // namespace roadtune::runs
