// SPDX-License-Identifier: GPL-3.0-or-later
// waymo.open_dataset.Objects, one serialised message: what Waymo's own metric tools read.
#include "core/data/export/export_writer.h"
#include "core/data/export/output_file.h"
#include "core/data/records/wire_writer.h"

namespace roadtune::data {

namespace {

WireWriter objectBox(const Box& box) {
  WireWriter out;
  out.fixedDouble(1, box.x + box.w / 2);
  out.fixedDouble(2, box.y + box.h / 2);
  out.fixedDouble(4, box.h);  // width is the extent along y
  out.fixedDouble(5, box.w);
  return out;
}

class ObjectsWriter : public ExportWriter {
 public:
  explicit ObjectsWriter(OutputFile out) : m_out(std::move(out)) {}

  Status add(const ExportImage& image) override {
    for (const Box& box : image.boxes) {
      if (box.type >= kLabelTypes) continue;  // no type of Waymo's
      WireWriter label;
      label.message(1, objectBox(box));
      label.varint(3, box.type);
      label.bytes(4, box.id);
      if (box.detectionLevel) label.varint(5, box.detectionLevel);
      if (box.trackingLevel) label.varint(6, box.trackingLevel);
      WireWriter object;
      object.message(1, label);
      object.fixedFloat(2, 1);
      object.bytes(4, image.segment->info().name);
      object.varint(5, static_cast<std::uint64_t>(image.info.timestamp));
      object.varint(6, static_cast<std::uint64_t>(image.info.camera));
      WireWriter entry;  // repeated: messages may simply follow each other
      entry.message(1, object);
      ROADTUNE_CHECK(m_out.write(entry.data()));
    }
    return {};
  }
  Status end() override { return m_out.finish(); }

 private:
  OutputFile m_out;
};

}  // namespace

MakeWriter makeObjectsWriter(const ExportContext& context) {
  ROADTUNE_TRY(OutputFile out, OutputFile::create(context.request.out));
  return std::unique_ptr<ExportWriter>(std::make_unique<ObjectsWriter>(std::move(out)));
}

}  // namespace roadtune::data
