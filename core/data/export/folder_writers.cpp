// SPDX-License-Identifier: GPL-3.0-or-later
// Formats with one small text file per image: YOLO, KITTI, Pascal VOC.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/data/export/export_writer.h"
#include "core/data/index/kitti_recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

namespace roadtune::data {

namespace {

// "a/b.jpg" -> "a_b": one flat folder of label files.
std::string stemOf(const ExportImage& image) {
  std::string stem = fs::path(image.name).replace_extension().string();
  std::replace(stem.begin(), stem.end(), '/', '_');
  return stem;
}

bool hasSize(const ExportImage& image) { return image.info.width > 0 && image.info.height > 0; }

// As it stands where YAML reads it as this text, else in quotes.
std::string yamlText(std::string text) {
  constexpr std::array kOtherwiseRead = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"};
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c); }, ' ');
  const auto isPlain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view(" _-./").find(static_cast<char>(c)) != std::string_view::npos;
  };
  const bool plain = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) && text.back() != ' ' &&
                     std::all_of(text.begin(), text.end(), isPlain) &&
                     std::find(kOtherwiseRead.begin(), kOtherwiseRead.end(), lower(text)) == kOtherwiseRead.end();
  if (plain) return text;
  if (text.find('\'') == std::string::npos) return "'" + text + "'";
  std::string quoted;
  for (const char c : text) quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return '"' + quoted + '"';
}

// Where tools look for the labels of a picture: the last "images" of its path becomes "labels"; without one they lie
// beside it.
fs::path labelFolderOf(const fs::path& pictures) {
  const std::string text = (fs::absolute(pictures) / "").lexically_normal().string(), folder = "/images/";
  const auto at = text.rfind(folder);
  if (at == std::string::npos) return text;
  return text.substr(0, at) + "/labels/" + text.substr(at + folder.size());
}

class FolderWriter : public ExportWriter {
 public:
  explicit FolderWriter(const ExportContext& context) : m_context(context) {}

 protected:
  Status put(const fs::path& file, const std::string& text) {
    return m_context.files->write(m_context.request.out / file, text);
  }
  ExportContext m_context;
};

// SPLIT/NAME.txt with "class cx cy w h" as shares of the image, below `labels`, and data.yaml. Pictures that are
// written elsewhere have their labels where tools look for those.
class YoloWriter : public FolderWriter {
 public:
  explicit YoloWriter(const ExportContext& context) : FolderWriter(context) {
    const fs::path out = fs::absolute(context.request.out).lexically_normal();
    const fs::path pictures = context.request.images.empty() ? out / "images" : fs::absolute(context.request.images);
    m_pictures = (pictures / "").lexically_normal().parent_path().lexically_relative(out);
    m_labels = labelFolderOf(pictures).lexically_relative(out);
  }
  bool wants(const ExportImage& image) const override { return image.info.labelled && hasSize(image); }

  Status add(const ExportImage& image) override {
    const double width = image.info.width, height = image.info.height;
    std::string text;
    for (const Box& box : image.boxes) {
      const double x1 = std::clamp(box.x / width, 0.0, 1.0), x2 = std::clamp((box.x + box.w) / width, 0.0, 1.0);
      const double y1 = std::clamp(box.y / height, 0.0, 1.0), y2 = std::clamp((box.y + box.h) / height, 0.0, 1.0);
      text += fmt::format("{} {:.8f} {:.8f} {:.8f} {:.8f}\n", m_context.classes.positionOf(box.type), (x1 + x2) / 2,
                          (y1 + y2) / 2, x2 - x1, y2 - y1);
    }
    m_splits.insert(image.split);
    return put(m_labels / image.split / (stemOf(image) + ".txt"), text);
  }

  Status end() override {
    std::vector<std::string> train, val, test;  // what has a split of another name is for training
    for (const std::string& split : m_splits)
      (split == "validation" ? val
       : split == "testing"  ? test
                             : train)
          .push_back(yamlText((m_pictures / split).string()));
    std::string yaml;  // without "path", which tools would take from the folder they run in
    const auto add = [&](const char* key, const std::vector<std::string>& places) {
      if (places.size() == 1) yaml += fmt::format("{}: {}\n", key, places.front());
      if (places.size() > 1) yaml += fmt::format("{}: [{}]\n", key, join(places, ", "));
    };
    add("train", train);
    add("val", val.empty() ? train : val);
    add("test", test);
    yaml += fmt::format("nc: {}\nnames:\n", m_context.classes.names.size());
    for (std::size_t i = 0; i < m_context.classes.names.size(); ++i)
      yaml += fmt::format("  {}: {}\n", i, yamlText(m_context.classes.names[i]));
    return put("data.yaml", yaml);
  }

 private:
  std::set<std::string> m_splits;
  fs::path m_pictures, m_labels;  // seen from the folder of the export
};

// label_2/NAME.txt with the fifteen columns; what 2D labels do not know has the fillers of the format.
class KittiWriter : public FolderWriter {
 public:
  using FolderWriter::FolderWriter;

  Status add(const ExportImage& image) override {
    std::string text;
    for (const Box& box : image.boxes) noteWord(box);
    for (const std::vector<Box>* boxes : {&image.boxes, &image.crowds})
      for (const Box& box : *boxes) text += line(box, image.info);
    return put(fs::path("label_2") / (stemOf(image) + ".txt"), text);
  }
  bool hasWordFor(const Box& crowd) const override { return crowd.type == kUnknown; }
  std::map<std::string, std::string> otherWords() const override { return m_otherWords; }
  Status end() override { return makeFolders(m_context.request.out / "label_2"); }

 private:
  // Boxes end where the picture does, where its size is known.
  std::string line(const Box& box, const ImageInfo& info) const {
    const auto within = [](double value, int size) { return size > 0 ? std::clamp<double>(value, 0.0, size) : value; };
    return fmt::format("{} -1 -1 -10 {:.2f} {:.2f} {:.2f} {:.2f} -1 -1 -1 -1000 -1000 -1000 -10\n", typeOf(box),
                       within(box.x, info.width), within(box.y, info.height), within(box.x + box.w, info.width),
                       within(box.y + box.h, info.height));
  }
  void noteWord(const Box& box) {
    const std::string type = typeOf(box), &name = m_context.index.classNames()[box.type];
    if (kittiClass(type) != name) m_otherWords[name] = type;
  }
  std::string typeOf(const Box& box) const {
    switch (box.type) {
      case kVehicle: return "Car";
      case kPedestrian: return "Pedestrian";
      case kCyclist: return "Cyclist";
      case kSign: return "Misc";
      case kUnknown: return "DontCare";
      default: break;
    }
    std::string name = m_context.index.classNames()[box.type];
    std::replace_if(
        name.begin(), name.end(), [](char c) { return std::isspace(static_cast<unsigned char>(c)); }, '_');
    return name;
  }

  std::map<std::string, std::string> m_otherWords;
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += std::iscntrl(static_cast<unsigned char>(c)) ? ' ' : c;
    }
  }
  return out;
}

// Annotations/NAME.xml; pixels are counted from 1.
class VocWriter : public FolderWriter {
 public:
  using FolderWriter::FolderWriter;
  bool wants(const ExportImage& image) const override { return image.info.labelled && hasSize(image); }

  Status add(const ExportImage& image) override {
    std::string xml = fmt::format(
        "<annotation>\n  <folder>JPEGImages</folder>\n  <filename>{}</filename>\n"
        "  <source><database>{}</database></source>\n"
        "  <size><width>{}</width><height>{}</height><depth>3</depth></size>\n  <segmented>0</segmented>\n",
        escaped(image.reference), m_context.waymo ? "Waymo Open Dataset (non-commercial use)" : "Roadtune",
        image.info.width, image.info.height);
    for (const Box& box : image.boxes) xml += object(box, image.info);
    return put(fs::path("Annotations") / (stemOf(image) + ".xml"), xml + "</annotation>\n");
  }
  Status end() override { return makeFolders(m_context.request.out / "Annotations"); }

 private:
  std::string object(const Box& box, const ImageInfo& info) const {
    const auto pixel = [](double value, int size) {
      return std::clamp(static_cast<int>(std::lround(value)), 1, std::max(1, size));
    };
    const bool cut = box.x < 1 || box.y < 1 || box.x + box.w > info.width - 1 || box.y + box.h > info.height - 1;
    return fmt::format(
        "  <object>\n    <name>{}</name>\n    <pose>Unspecified</pose>\n    <truncated>{}</truncated>\n"
        "    <difficult>{}</difficult>\n    <bndbox><xmin>{}</xmin><ymin>{}</ymin><xmax>{}</xmax><ymax>{}</ymax>"
        "</bndbox>\n  </object>\n",
        escaped(m_context.index.classNames()[box.type]), cut ? 1 : 0, cameraBoxLevel(box.detectionLevel) == 2 ? 1 : 0,
        pixel(box.x + 1, info.width), pixel(box.y + 1, info.height), pixel(box.x + box.w, info.width),
        pixel(box.y + box.h, info.height));
  }
};

template <class W>
MakeWriter makeFolder(const ExportContext& context) {
  ROADTUNE_CHECK(makeFolders(context.request.out));
  return std::unique_ptr<ExportWriter>(std::make_unique<W>(context));
}

}  // namespace

MakeWriter makeYoloWriter(const ExportContext& context) { return makeFolder<YoloWriter>(context); }
MakeWriter makeKittiWriter(const ExportContext& context) { return makeFolder<KittiWriter>(context); }
MakeWriter makeVocWriter(const ExportContext& context) { return makeFolder<VocWriter>(context); }

}  // namespace roadtune::data
