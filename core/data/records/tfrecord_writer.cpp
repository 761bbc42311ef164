// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/records/tfrecord_writer.h"

#include "core/base/hash.h"

#include <cstring>

namespace roadtune::data {

namespace {

void appendMaskedCrc(std::string& out, std::string_view bytes) {
  const std::uint32_t crc = maskedCrc32c({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  char raw[sizeof crc];
  std::memcpy(raw, &crc, sizeof crc);
  out.append(raw, sizeof raw);
}

}  // namespace

void appendTfRecord(std::string& out, std::string_view payload) {
  const std::uint64_t length = payload.size();
  char raw[sizeof length];
  std::memcpy(raw, &length, sizeof length);
  out.reserve(out.size() + kTfRecordHeaderBytes + payload.size() + kTfRecordFooterBytes);
  out.append(raw, sizeof raw);
  appendMaskedCrc(out, {raw, sizeof raw});
  out.append(payload);
  appendMaskedCrc(out, payload);
}

}  // namespace roadtune::data
