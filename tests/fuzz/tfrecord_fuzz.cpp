// SPDX-License-Identifier: GPL-3.0-or-later
// TFRecord framing: every record lies inside the file, offsets only grow, and damage is told, never
// fatal.
#include "core/data/records/damaged_byte.h"
#include "core/data/records/tfrecord_reader.h"
#include "tests/fuzz/fuzz_file.h"

using namespace roadtune;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(data, size);
  auto opened = data::TfRecordReader::open(file.path(), data::TfRecordReader::PayloadCrc::Check);
  if (!opened.ok()) return 0;
  auto reader = std::move(opened).value();
  std::uint64_t end = 0;
  while (const auto record = reader.next()) {
    require(record->offset >= end && record->payloadOffset == record->offset + 12);
    const std::uint64_t behind = record->payloadOffset + record->payload.size() + 4;
    require(behind <= size);
    end = record->payloadOk ? behind : record->offset + 1;  // bytes that were lost bring the next one closer
  }
  for (const auto& problem : reader.problems()) require(problem.offset <= size && !problem.what.empty());
  return 0;
}
