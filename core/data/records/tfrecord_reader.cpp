// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/records/tfrecord_reader.h"

#include "core/base/hash.h"
#include "core/data/records/tfrecord_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace roadtune::data {

namespace {

template <class T>
T load(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

bool headerIsSound(const std::uint8_t* at) { return maskedCrc32c({at, 8}) == load<std::uint32_t>(at + 8); }

// Whether a record of this length can lie here, without adding numbers that may wrap.
bool fits(std::uint64_t length, std::uint64_t room) {
  constexpr std::uint64_t kFrame = kTfRecordHeaderBytes + kTfRecordFooterBytes;
  return room >= kFrame && length <= room - kFrame;
}

}  // namespace

Result<TfRecordReader> TfRecordReader::open(const std::filesystem::path& path, PayloadCrc payloadCrc) {
  ROADTUNE_TRY(auto file, MappedFile::open(path, payloadCrc == PayloadCrc::Check ? MappedFile::Access::Sequential
                                                                                 : MappedFile::Access::Random));
  TfRecordReader reader;
  reader.m_path = path;
  reader.m_file = std::move(file);
  reader.m_payloadCrc = payloadCrc;
  return reader;
}

void TfRecordReader::note(RecordFault fault, std::uint64_t offset, std::string what, std::string action) {
  m_problems.push_back({fault, offset, std::move(what), std::move(action)});
}

// The next place at or after `from` where a header with a sound CRC announces a record that fits; the file's size when
// there is none. A wrong hit has a chance of 2^-32 per byte.
std::uint64_t TfRecordReader::findHeader(std::uint64_t from) const {
  const auto bytes = m_file.bytes();
  for (std::uint64_t at = from; at + kTfRecordHeaderBytes + kTfRecordFooterBytes <= bytes.size(); ++at) {
    const std::uint8_t* header = bytes.data() + at;
    if (fits(load<std::uint64_t>(header), bytes.size() - at) && headerIsSound(header)) return at;
  }
  return bytes.size();
}

bool TfRecordReader::soundHeaderAt(std::uint64_t at) const {
  const auto bytes = m_file.bytes();
  return at + kTfRecordHeaderBytes <= bytes.size() && headerIsSound(bytes.data() + at);
}

std::optional<Record> TfRecordReader::next() {
  const auto bytes = m_file.bytes();
  while (m_offset < bytes.size()) {
    const std::uint64_t at = m_offset;
    const std::uint64_t room = bytes.size() - at;
    if (room < kTfRecordHeaderBytes) {
      note(RecordFault::Truncated, at, fmt::format("the file ends inside a record header ({} of 12 bytes)", room),
           "the rest was left out");
      m_offset = bytes.size();
      return std::nullopt;
    }
    const auto length = load<std::uint64_t>(bytes.data() + at);
    const bool sound = headerIsSound(bytes.data() + at);
    if (sound && fits(length, room)) {
      Record record{m_index++,
                    at,
                    at + kTfRecordHeaderBytes,
                    bytes.subspan(at + kTfRecordHeaderBytes, static_cast<std::size_t>(length)),
                    true,
                    0};
      record.storedCrc = load<std::uint32_t>(record.payload.data() + length);
      m_offset = at + kTfRecordHeaderBytes + length + kTfRecordFooterBytes;
      if (m_payloadCrc == PayloadCrc::Check && maskedCrc32c(record.payload) != record.storedCrc) {
        record.payloadOk = false;
        note(RecordFault::PayloadCrc, at, "the payload CRC of the record does not match",
             fmt::format("record {} is marked as damaged", record.index));
        // Where bytes were lost or added, the next record does not lie where this one ends, but somewhere within.
        if (m_offset < bytes.size() && !soundHeaderAt(m_offset)) m_offset = std::min(m_offset, findHeader(at + 1));
      }
      return record;
    }
    const std::uint64_t found = findHeader(at + 1);
    const bool rest = found == bytes.size();
    const std::string action = rest ? fmt::format("the last {} bytes were left out", room)
                                    : fmt::format("{} bytes were skipped to the next record", found - at);
    if (sound) {
      note(RecordFault::Truncated, at,
           fmt::format("a record of {} bytes is announced, {} bytes follow", length, room - kTfRecordHeaderBytes),
           action);
    } else {
      note(RecordFault::LengthCrc, at, "the length CRC of the record header does not match", action);
    }
    m_offset = found;
  }
  return std::nullopt;
}

Status TfRecordReader::seek(std::uint64_t offset) {
  if (offset > m_file.size())
    return badInput(fmt::format("offset {} lies behind the end ({} bytes)", offset, m_file.size()), m_path.string());
  m_offset = offset;
  return {};
}

}  // namespace roadtune::data
