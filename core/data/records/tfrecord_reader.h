// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/mapped_file.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roadtune::data {

enum class RecordFault {
  LengthCrc,   // the header is damaged: bytes were skipped up to the next sound header, or the rest was given up
  PayloadCrc,  // the payload is damaged; the record is handed out with payloadOk = false
  Truncated,   // the file ends inside a record
};

struct RecordProblem {
  RecordFault fault = RecordFault::Truncated;
  std::uint64_t offset = 0;  // in the file, of the record's header
  std::string what;          // "payload CRC does not match", for people
  std::string action;        // what was done: "skipped 1234 bytes to the next record"
};

struct Record {
  std::uint64_t index = 0;          // position among the records that were readable
  std::uint64_t offset = 0;         // of the header, in the file
  std::uint64_t payloadOffset = 0;  // of the payload, in the file
  std::span<const std::uint8_t> payload;
  bool payloadOk = true;        // false only when the CRC was asked for and is wrong
  std::uint32_t storedCrc = 0;  // masked, as it lies in the file; see findDamagedByte
};

// Walks a memory-mapped, uncompressed TFRecord file. The length CRC is always checked; the payload CRC when asked for.
// Damage never ends the program: it is noted in problems(), and reading goes on where that is possible.
// Spans point into the mapping and live as long as the reader.
class TfRecordReader {
 public:
  enum class PayloadCrc { Skip, Check };

  static Result<TfRecordReader> open(const std::filesystem::path& path, PayloadCrc payloadCrc = PayloadCrc::Skip);

  // The next record, or nothing at the end of the file.
  std::optional<Record> next();

  // Moves to a record whose header offset is known. Past the end is an error.
  Status seek(std::uint64_t offset);

  const std::vector<RecordProblem>& problems() const { return m_problems; }
  const std::filesystem::path& path() const { return m_path; }
  std::span<const std::uint8_t> bytes() const { return m_file.bytes(); }

 private:
  bool soundHeaderAt(std::uint64_t at) const;
  std::uint64_t findHeader(std::uint64_t from) const;
  void note(RecordFault fault, std::uint64_t offset, std::string what, std::string action);

  std::filesystem::path m_path;
  MappedFile m_file;
  PayloadCrc m_payloadCrc = PayloadCrc::Skip;
  std::uint64_t m_offset = 0;
  std::uint64_t m_index = 0;
  std::vector<RecordProblem> m_problems;
};

}  // namespace roadtune::data
