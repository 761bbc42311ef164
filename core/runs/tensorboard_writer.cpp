// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/tensorboard_writer.h"

#include "core/base/host_name.h"
#include "core/base/mapped_file.h"
#include "core/runs/proto_wire.h"
#include "core/runs/record_frame.h"
#include "core/runs/tensorboard_reader.h"

#include <fmt/format.h>

#include <array>
#include <unistd.h>

namespace roadtune::runs {

namespace {

constexpr std::string_view kOurMark = "roadtune";  // source_metadata.writer of the first record

// The file of ours that is to be continued, cut to its whole records; empty when there is none.
Result<fs::path> continuedFile(const fs::path& folder) {
  const auto files = tensorboardFiles(folder);
  if (files.empty()) return fs::path();
  std::size_t whole = 0;
  bool ours = false;
  {
    ROADTUNE_TRY(const MappedFile file, MappedFile::open(files.back(), MappedFile::Access::Sequential));
    std::string_view rest = file.text();
    for (Frame frame = readFrame(rest); frame.state == FrameState::Whole; frame = readFrame(rest)) {
      if (whole == 0) ours = frame.bytes.find(kOurMark) != std::string_view::npos;
      whole += frame.size;
      rest.remove_prefix(frame.size);
    }
  }
  if (!ours) return fs::path();
  if (::truncate(files.back().c_str(), static_cast<off_t>(whole)) != 0)
    return systemError("cannot cut off an incomplete record", files.back().string());
  return files.back();
}

}  // namespace

std::string tensorboardVersionRecord(double wallTime) {
  std::string event;
  putDoubleField(event, 1, wallTime);
  putBytesField(event, 3, "brain.Event:2");
  return frameRecord(event);
}

std::string tensorboardScalarRecord(double wallTime, std::int64_t step,
                                    const std::vector<std::pair<std::string, float>>& scalars) {
  std::string summary;
  for (const auto& [tag, value] : scalars) {
    std::string one;
    putBytesField(one, 1, tag);
    putFloatField(one, 2, value);
    putBytesField(summary, 1, one);
  }
  std::string event;
  putDoubleField(event, 1, wallTime);
  if (step != 0) putVarintField(event, 2, static_cast<std::uint64_t>(step));
  putBytesField(event, 5, summary);
  return frameRecord(event);
}

Result<TensorboardWriter> TensorboardWriter::open(const fs::path& folder, double wallTime) {
  ROADTUNE_CHECK(makeFolders(folder));
  ROADTUNE_TRY(const fs::path old, continuedFile(folder));
  if (!old.empty()) {
    ROADTUNE_TRY(AppendFile file, AppendFile::open(old));
    return TensorboardWriter(std::move(file));
  }
  const auto name =
      fmt::format("events.out.tfevents.{:010}.{}.{}.0", static_cast<std::int64_t>(wallTime), hostName(), ::getpid());
  ROADTUNE_TRY(AppendFile file, AppendFile::open(folder / name));
  std::string event, source;
  putDoubleField(event, 1, wallTime);
  putBytesField(event, 3, "brain.Event:2");
  putBytesField(source, 1, kOurMark);
  putBytesField(event, 10, source);
  ROADTUNE_CHECK(file.append(frameRecord(event)));
  return TensorboardWriter(std::move(file));
}

Status TensorboardWriter::add(double wallTime, std::int64_t step,
                              const std::vector<std::pair<std::string, float>>& scalars) {
  return m_file.append(tensorboardScalarRecord(wallTime, step, scalars));
}

}  // namespace roadtune::runs
