// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/data/formats/parquet_recordings.h"
#include "core/data/formats/vqa_parquet.h"
#include "core/data/image/image_header.h"
#include "core/data/index/find_files.h"
#include "core/data/index/named_pictures.h"

#include <fmt/format.h>

namespace roadtune::data {

namespace fs = std::filesystem;

namespace {

class VqaReader {
 public:
  VqaReader(const ImportUnit& unit, RecordingSink& sink)
      : m_sink(sink),
        m_file(unit.files.front()),
        m_base(unit.base),
        m_lookup(m_file, unit.imageFolders, unit.nearFolders) {
    m_recording.name = unit.title;
    m_recording.format = "vqa";
  }

  Status run() {
    Status inner;
    const Status read = forEachVqaRow(m_file, [&](const VqaRow& row) {
      inner = addRow(row);
      return inner.ok();
    });
    if (!inner.ok()) return inner;
    if (!read.ok() && m_recording.images.empty()) return read.error();
    if (!read.ok()) tell(read.error().what, counted(m_recording.images.size(), "row was kept", "rows were kept"));
    for (const auto& [count, part] : {std::pair{m_unasked, "question"}, {m_unanswered, "answer"}})
      if (count > 0)
        tell(fmt::format("{} no {} that is a text or a number", counted(count, "row has", "rows have"), part),
             "left out");
    m_odd.tell(m_file, m_sink);
    if (m_recording.images.empty()) return badInput("holds no row with a picture and an answer", m_file.string());
    return m_sink.deliver(std::move(m_recording));
  }

 private:
  void tell(std::string what, std::string done, bool picture = false) {
    m_sink.problem({.file = m_file.string(), .what = std::move(what), .done = std::move(done), .picture = picture});
  }

  Status addRow(const VqaRow& row) {
    if (!m_sink.advance(row.image.size())) return cancelled();
    if (!row.question || !row.answer) {
      ++(row.question ? m_unanswered : m_unasked);
      return {};
    }
    RecordedImage image;
    image.timestamp = static_cast<std::int64_t>(row.row);
    image.prefix = *row.question;
    image.suffix = *row.answer;
    if (!row.image.empty()) {
      image.file = RecordedImage::kBlob;
      image.length = static_cast<std::uint32_t>(row.image.size());
      ROADTUNE_TRY(image.offset, m_sink.storeBytes(row.image));
      const Result<ImageHeader> header = readImageHeader(row.image);
      image.corrupt = !header.ok();
      if (header.ok()) m_odd.look(header.value(), image);
      if (header.ok()) std::tie(image.width, image.height) = std::pair(header.value().width, header.value().height);
      if (!header.ok()) tell(fmt::format("the picture of row {} cannot be read", row.row), "marked as damaged");
    } else if (const auto file = m_lookup.find(std::string(row.imagePath))) {
      if (!takePicture(*file, m_base, image, m_odd))
        tell(fmt::format("the picture of row {} cannot be read", row.row), "marked as damaged", true);
    } else if (!row.imagePath.empty()) {
      tell(fmt::format("row {}: picture {} was not found", row.row, row.imagePath), "row left out", true);
      return {};
    } else {
      tell(fmt::format("row {} has no picture", row.row), "row left out");
      return {};
    }
    m_recording.images.push_back(std::move(image));
    return {};
  }

  RecordingSink& m_sink;
  fs::path m_file, m_base;
  ImageLookup m_lookup;
  Recording m_recording;
  OddPictures m_odd;
  std::size_t m_unanswered = 0, m_unasked = 0;
};

}  // namespace

Result<std::vector<ImportUnit>> VqaRecordings::discover(const fs::path& path) const {
  std::vector<ImportUnit> units;
  for (const fs::path& file : findFiles(path, [](const std::string& name) { return endsWith(name, ".parquet"); })) {
    const Result<bool> known = isVqaParquet(file);
    if (known.ok() && known.value()) units.push_back(unitOfAnnotationFile(file));
    if (known.ok() && !known.value() && file == path) ROADTUNE_CHECK(checkVqaColumns(file));
  }
  return units;
}

Status VqaRecordings::read(const ImportUnit& unit, RecordingSink& sink) const { return VqaReader(unit, sink).run(); }

RecordingReaders allReaders() {
  RecordingReaders readers = basicReaders();
  readers.push_back(std::make_unique<WaymoV2Recordings>());
  readers.push_back(std::make_unique<VqaRecordings>());
  return readers;
}

}  // namespace roadtune::data
