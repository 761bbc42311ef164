// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/export/export.h"
#include "core/data/export/written_files.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// One image on its way out.
struct ExportImage {
  ImageInfo info;
  const Segment* segment = nullptr;
  std::string split;                  // "all" without one; good for the name of a folder
  std::string name;                   // file name of the picture: contains segment, timestamp and camera
  std::string reference;              // how annotation files name the picture
  std::optional<std::string> sha256;  // with --hash; empty when the picture could not be read
  std::vector<Box> boxes;             // those that passed the filters
  std::vector<Box> crowds;            // of the classes that are written, where the format has a word for them
};

// One format. Every image it wants is handed over once, in order; begin() and end() frame them. wants() is asked before
// the image has a name and boxes.
class ExportWriter {
 public:
  virtual ~ExportWriter() = default;
  virtual bool wants(const ExportImage& image) const { return image.info.labelled; }
  virtual bool hasWordFor(const Box& /*crowd*/) const { return false; }
  // How many boxes the text holds where the image goes out as text, whatever its boxes are.
  virtual std::optional<std::size_t> boxesAsText(const ExportImage& /*image*/) const { return std::nullopt; }
  // What it calls classes that come back under another name when they are read again.
  virtual std::map<std::string, std::string> otherWords() const { return {}; }
  virtual Status begin() { return {}; }
  virtual Status add(const ExportImage& image) = 0;
  virtual Status end() = 0;
};

// Which classes are written, in index numbers and in order, with their names.
struct ExportClasses {
  std::vector<std::uint8_t> numbers;
  std::vector<std::string> names;
  int positionOf(std::uint8_t number) const;  // -1: not written
};

struct ExportContext {
  const Index& index;
  const ExportRequest& request;
  const ExportClasses& classes;
  bool waymo = false;
  WrittenFiles* files = nullptr;  // of formats that are folders
};

using MakeWriter = Result<std::unique_ptr<ExportWriter>>;
MakeWriter makeJsonlWriter(const ExportContext& context);
MakeWriter makePaliGemmaWriter(const ExportContext& context);
MakeWriter makeObjectsWriter(const ExportContext& context);
MakeWriter makeCocoWriter(const ExportContext& context);
MakeWriter makeYoloWriter(const ExportContext& context);
MakeWriter makeKittiWriter(const ExportContext& context);
MakeWriter makeVocWriter(const ExportContext& context);

// One image as a JSON object, the line of a jsonl export.
std::string imageRow(const Index& index, const ExportImage& image);

// A number with at most six digits after the point, which is more than the labels carry.
double rounded(double value);

}  // namespace roadtune::data
