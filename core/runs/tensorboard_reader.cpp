// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/tensorboard_reader.h"

#include "core/base/text.h"
#include "core/runs/proto_wire.h"
#include "core/runs/record_frame.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace roadtune::runs {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

template <class T>
std::optional<double> firstOf(std::string_view bytes) {
  if (bytes.size() < sizeof(T)) return {};
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return static_cast<double>(value);
}

// half and bfloat16, by their bits
double fromHalf(std::uint32_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1fu, fraction = bits & 0x3ffu;
  if (exponent == 0) {
    const double small = static_cast<double>(fraction) / (1 << 24);
    return sign ? -small : small;
  }
  const std::uint32_t widened = exponent == 31 ? 255u : exponent + 112u;
  return std::bit_cast<float>(sign | widened << 23 | fraction << 13);
}

// The (first) number of a list of integers, packed or not.
std::uint64_t firstVarint(const WireField& field) {
  if (field.type != 2) return field.number;
  const std::string wrapped = "\x08" + std::string(field.bytes);  // as field 1
  std::string_view view = wrapped;
  const auto first = nextField(view);
  return first ? first->number : 0;
}

// Product of the sizes of a TensorShapeProto.
std::uint64_t elements(std::string_view shape) {
  std::uint64_t count = 1;
  while (const auto field = nextField(shape)) {
    if (field->field != 2 || field->type != 2) continue;
    std::string_view dimension = field->bytes;
    std::uint64_t size = 0;
    while (const auto inner = nextField(dimension))
      if (inner->field == 1 && inner->type == 0) size = inner->number;
    count *= size;
  }
  return count;
}

// A TensorProto of rank 0 (or of one element) as a number. Types: 1 float, 2 double, 3 int32, 9 int64, 14 bfloat16,
// 19 half; values in tensor_content or in the typed lists (packed or not).
std::optional<double> tensorScalar(std::string_view message) {
  int type = 0;
  std::optional<double> value;
  std::string_view content;
  while (const auto field = nextField(message)) {
    const bool packed = field->type == 2;
    switch (field->field) {
      case 1: type = static_cast<int>(field->number); break;
      case 2:
        if (elements(field->bytes) != 1) return {};
        break;
      case 4: content = field->bytes; break;
      case 5: value = packed ? firstOf<float>(field->bytes) : field->asFloat(); break;
      case 6: value = packed ? firstOf<double>(field->bytes) : field->asDouble(); break;
      case 7:
      case 10: value = static_cast<double>(static_cast<std::int64_t>(firstVarint(*field))); break;
      case 13: {
        const auto bits = static_cast<std::uint32_t>(firstVarint(*field));
        value = type == 19 ? fromHalf(bits) : static_cast<double>(std::bit_cast<float>(bits << 16));
        break;
      }
      default: break;
    }
  }
  if (content.empty()) return value;
  switch (type) {
    case 1: return firstOf<float>(content);
    case 2: return firstOf<double>(content);
    case 3: return firstOf<std::int32_t>(content);
    case 9: return firstOf<std::int64_t>(content);
    default: return {};
  }
}

// Plugins whose tensors are no curves.
bool isScalarPlugin(std::string_view metadata) {
  while (const auto field = nextField(metadata)) {
    if (field->field != 1 || field->type != 2) continue;
    std::string_view plugin = field->bytes;
    while (const auto inner = nextField(plugin))
      if (inner->field == 1 && inner->type == 2) return inner->bytes.empty() || inner->bytes == "scalars";
  }
  return true;
}

void visitValue(std::string_view message, TensorboardScalar& scalar,
                const std::function<void(const TensorboardScalar&)>& visit) {
  std::optional<double> value;
  bool isScalar = true;
  scalar.tag.clear();
  while (const auto field = nextField(message)) {
    if (field->field == 1 && field->type == 2) scalar.tag = toValidUtf8(field->bytes);
    if (field->field == 2 && field->type == 5) value = field->asFloat();
    if (field->field == 8 && field->type == 2) value = tensorScalar(field->bytes);
    if (field->field == 9 && field->type == 2) isScalar = isScalarPlugin(field->bytes);
  }
  if (!value || !isScalar || scalar.tag.empty()) return;
  scalar.value = *value;
  visit(scalar);
}

bool isSessionStart(std::string_view log) {
  while (const auto field = nextField(log))
    if (field->field == 1 && field->type == 0) return field->number == 1;
  return false;
}

}  // namespace

bool decodeTensorboardEvent(std::string_view bytes, const std::function<void(const TensorboardScalar&)>& visit) {
  TensorboardScalar scalar;
  std::string_view summary, session;
  while (const auto field = nextField(bytes)) {
    if (field->field == 1 && field->type == 1) scalar.wallTime = field->asDouble();
    if (field->field == 2 && field->type == 0) scalar.step = static_cast<std::int64_t>(field->number);
    if (field->field == 5 && field->type == 2) summary = field->bytes;
    if (field->field == 7 && field->type == 2) session = field->bytes;
  }
  if (!bytes.empty()) return false;
  if (isSessionStart(session)) visit({{}, scalar.step, scalar.wallTime, 0, true});
  while (const auto value = nextField(summary))
    if (value->field == 1 && value->type == 2) visitValue(value->bytes, scalar, visit);
  return summary.empty();
}

Result<std::size_t> TensorboardReader::poll(const std::function<void(const TensorboardScalar&)>& visit,
                                            std::size_t maxBytes) {
  m_atEnd = true;
  if (m_damaged) return std::size_t{0};
  UniqueFd fd(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid() && errno == ENOENT) return std::size_t{0};
  if (!fd.valid()) return systemError("cannot open", m_path.string());
  std::size_t records = 0, taken = 0, want = kChunk;
  std::string buffer;
  while (taken < maxBytes) {
    const std::size_t old = buffer.size();
    buffer.resize(old + want);
    const ssize_t got = ::pread(fd.get(), buffer.data() + old, want, static_cast<off_t>(m_offset + old));
    if (got < 0) return systemError("cannot read", m_path.string());
    buffer.resize(old + static_cast<std::size_t>(got));
    std::string_view rest = buffer;
    Frame frame = readFrame(rest);
    for (; frame.state == FrameState::Whole; frame = readFrame(rest)) {
      decodeTensorboardEvent(frame.bytes, visit);
      rest.remove_prefix(frame.size);
      ++records;
    }
    const std::size_t used = buffer.size() - rest.size();
    m_offset += used;
    taken += used;
    buffer.erase(0, used);
    if (frame.state == FrameState::Damaged) m_damaged = m_offset;
    if (got == 0 || m_damaged) return records;
    want = std::max(kChunk, buffer.size());  // a long record: grow with what is there
  }
  m_atEnd = false;
  return records;
}

std::vector<fs::path> tensorboardFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    std::error_code ignored;
    if (at->path().filename().string().find("tfevents") != std::string::npos && at->is_regular_file(ignored))
      files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace roadtune::runs
