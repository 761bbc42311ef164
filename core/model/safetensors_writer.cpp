// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/safetensors_writer.h"

#include "core/base/files.h"
#include "core/base/json_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace roadtune::model {
namespace {

Status writeAt(int fd, std::span<const std::uint8_t> bytes, std::uint64_t offset, const std::string& where) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return systemError("cannot write", where);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return {};
}

// Alignment descending, then name: every tensor then starts aligned.
void sortForFile(std::vector<TensorPlan>& plan) {
  std::sort(plan.begin(), plan.end(), [](const TensorPlan& a, const TensorPlan& b) {
    if (a.dtype != b.dtype) return a.dtype > b.dtype;
    return a.name < b.name;
  });
}

std::string headerText(const std::vector<TensorPlan>& plan, const Metadata& metadata) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!metadata.empty()) json["__metadata__"] = metadata;
  std::uint64_t at = 0;
  for (const TensorPlan& tensor : plan) {
    nlohmann::ordered_json entry;
    entry["dtype"] = nameOf(tensor.dtype);
    entry["shape"] = tensor.shape;
    entry["data_offsets"] = {at, at + tensor.bytes()};
    json[tensor.name] = std::move(entry);
    at += tensor.bytes();
  }
  std::string text = jsonLine(json);
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

}  // namespace

std::uint64_t TensorPlan::bytes() const {
  std::uint64_t count = sizeOf(dtype);
  for (const std::int64_t size : shape) count *= static_cast<std::uint64_t>(size);
  return count;
}

Metadata torchMetadata() { return {{"format", "pt"}}; }

Result<std::unique_ptr<SafetensorsWriter>> SafetensorsWriter::create(const std::filesystem::path& named,
                                                                     std::vector<TensorPlan> plan,
                                                                     const Metadata& metadata) {
  ROADTUNE_TRY(const std::filesystem::path path, replaceableFile(named));
  sortForFile(plan);
  std::unique_ptr<SafetensorsWriter> writer(new SafetensorsWriter());
  writer->m_path = path;
  std::uint64_t at = 0;
  for (const TensorPlan& tensor : plan) {
    if (tensor.name == "__metadata__" || !writer->m_entries.emplace(tensor.name, Entry{at, tensor.bytes(), 0}).second)
      return failed(fmt::format("tensor '{}' is planned twice", tensor.name), path.string());
    at += tensor.bytes();
  }
  const std::string header = headerText(plan, metadata);
  writer->m_dataStart = 8 + header.size();
  writer->m_temporary = path;
  writer->m_temporary += fmt::format(".{}.tmp", ::getpid());
  writer->m_fd = UniqueFd(::open(writer->m_temporary.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!writer->m_fd.valid()) return systemError("cannot create", path.string());

  std::string start(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) start[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
  start += header;
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(start.data()), start.size());
  ROADTUNE_CHECK(writeAt(writer->m_fd.get(), bytes, 0, path.string()));
  if (::ftruncate(writer->m_fd.get(), static_cast<off_t>(writer->m_dataStart + at)) != 0)
    return systemError("cannot reserve room", path.string());
  return writer;
}

SafetensorsWriter::~SafetensorsWriter() {
  if (m_fd.valid()) ::unlink(m_temporary.c_str());
}

Status SafetensorsWriter::write(std::string_view name, std::span<const std::uint8_t> bytes, std::uint64_t offset) {
  const auto found = m_entries.find(name);
  if (found == m_entries.end()) return failed(fmt::format("tensor '{}' was not planned", name), m_path.string());
  Entry& entry = found->second;
  if (offset > entry.size || bytes.size() > entry.size - offset)
    return failed(fmt::format("tensor '{}' has {} bytes, writing ends at {}", name, entry.size, offset + bytes.size()),
                  m_path.string());
  ROADTUNE_CHECK(writeAt(m_fd.get(), bytes, m_dataStart + entry.begin + offset, m_path.string()));
  entry.written += bytes.size();
  return {};
}

Status SafetensorsWriter::finish() {
  for (const auto& [name, entry] : m_entries)
    if (entry.written < entry.size)
      return failed(fmt::format("tensor '{}' is incomplete: {} of {} bytes", name, entry.written, entry.size),
                    m_path.string());
  if (::fsync(m_fd.get()) != 0) return systemError("cannot sync", m_path.string());
  if (::rename(m_temporary.c_str(), m_path.c_str()) != 0)
    return systemError("cannot rename into place", m_path.string());
  m_fd.reset();
  const std::filesystem::path folder = m_path.parent_path();
  return syncFolder(folder.empty() ? std::filesystem::path(".") : folder);
}

Status writeSafetensors(const std::filesystem::path& path, const std::vector<TensorView>& tensors,
                        const Metadata& metadata) {
  std::vector<TensorPlan> plan;
  for (const TensorView& tensor : tensors) plan.push_back({tensor.name, tensor.dtype, tensor.shape});
  ROADTUNE_TRY(const auto writer, SafetensorsWriter::create(path, std::move(plan), metadata));
  for (const TensorView& tensor : tensors) ROADTUNE_CHECK(writer->write(tensor.name, tensor.bytes));
  return writer->finish();
}

}  // namespace roadtune::model
