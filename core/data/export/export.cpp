// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/export.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/data/export/export_writer.h"
#include "core/data/export/pack.h"
#include "core/data/export/source_pictures.h"
#include "core/data/image/image.h"
#include "core/data/image/image_header.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/waymo_license.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

namespace roadtune::data {

namespace {

struct FormatName {
  const char* name;
  ExportFormat format;
  MakeWriter (*make)(const ExportContext&);
  bool folder;
  bool learnt;  // from its pictures: damaged ones, and boxes of which nothing shows, have no place in it
};

constexpr std::size_t kNamed = 3;  // of images that something is wrong with

constexpr std::array kFormats = {
    FormatName{"jsonl", ExportFormat::Jsonl, makeJsonlWriter, false, false},
    FormatName{"coco", ExportFormat::Coco, makeCocoWriter, false, false},
    FormatName{"yolo", ExportFormat::Yolo, makeYoloWriter, true, true},
    FormatName{"kitti", ExportFormat::Kitti, makeKittiWriter, true, true},
    FormatName{"voc", ExportFormat::Voc, makeVocWriter, true, true},
    FormatName{"paligemma", ExportFormat::PaliGemma, makePaliGemmaWriter, false, true},
    FormatName{"waymo-objects", ExportFormat::WaymoObjects, makeObjectsWriter, false, false},
};

const FormatName& formatOf(ExportFormat format) {
  return *std::find_if(kFormats.begin(), kFormats.end(), [&](const FormatName& f) { return f.format == format; });
}

Result<ExportClasses> chooseClasses(const Index& index, const ExportRequest& request) {
  ExportClasses classes;
  std::vector<std::string> wanted = request.classes;
  if (wanted.empty() && request.format == ExportFormat::PaliGemma) wanted = {"vehicle", "pedestrian", "cyclist"};
  for (const std::string& name : wanted) {
    const auto number = index.findClass(name);
    if (!number) {
      const std::string near = nearestWord(name, index.classNames());
      return badInput("the index has no class '" + name + "'", "--classes",
                      near.empty() ? join(index.classNames(), ", ") : near);
    }
    if (classes.positionOf(*number) < 0) classes.numbers.push_back(*number);
  }
  if (wanted.empty())
    for (std::size_t i = 0; i < index.classNames().size(); ++i) classes.numbers.push_back(static_cast<std::uint8_t>(i));
  for (const std::uint8_t number : classes.numbers) classes.names.push_back(index.classNames()[number]);
  return classes;
}

std::string safeName(std::string_view text) {
  std::string name;
  for (const char c : text) name += c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '_' : c;
  return name;
}

std::set<fs::path> sourcesOf(const Index& index) {
  std::set<fs::path> files;
  for (std::uint32_t i = 0; i < index.segmentCount(); ++i)
    for (const SourceFile& source : index.segment(i).sourceFiles()) files.insert(source.path);
  return files;
}

std::vector<fs::path> placesWrittenTo(const ExportRequest& request) {
  std::vector<fs::path> folders;
  if (writesFolder(request.format)) folders.push_back(request.out);
  if (!request.images.empty()) folders.push_back(request.images);
  return folders;
}

class Exporter {
 public:
  Exporter(const Index& index, const ExportRequest& request, const ExportClasses& classes, ProgressSink& progress)
      : m_index(index),
        m_request(request),
        m_classes(classes),
        m_progress(progress),
        m_hashes(request.hash && request.format == ExportFormat::Jsonl),
        m_names(request.names ? *request.names : m_ownNames),
        m_pictures(index, placesWrittenTo(request)) {}

  Result<ExportOutcome> run(const std::vector<ImageId>& images) {
    for (const ImageId image : images) m_outcome.waymo |= segmentOf(image).info().waymo;
    if (formatOf(m_request.format).folder) {
      std::set<fs::path> sources = sourcesOf(m_index);
      sources.insert(m_pictures.files().begin(), m_pictures.files().end());
      ROADTUNE_TRY(m_files, WrittenFiles::open(m_request.out, std::move(sources)));
    }
    const ExportContext context{m_index, m_request, m_classes, m_outcome.waymo, m_files.get()};
    ROADTUNE_TRY(const std::unique_ptr<ExportWriter> writer, formatOf(m_request.format).make(context));
    ROADTUNE_CHECK(writer->begin());
    std::uint64_t done = 0;
    for (const ImageId image : images) {
      if (!m_progress.report({"exporting", done++, images.size(), "images"})) return cancelled();
      ROADTUNE_CHECK(add(image, *writer));
    }
    if (nothingWasReadable()) return *m_firstError;
    ROADTUNE_CHECK(writer->end());
    m_outcome.otherWords = writer->otherWords();
    if (m_files) ROADTUNE_CHECK(m_files->finish());
    ROADTUNE_CHECK(attribute());
    m_progress.report({"exporting", images.size(), images.size(), "images"});
    return m_outcome;
  }

 private:
  const Segment& segmentOf(ImageId image) const { return m_index.segment(m_index.locate(image).first); }

  Status add(ImageId id, ExportWriter& writer) {
    ExportImage image;
    image.info = m_index.image(id);
    image.segment = &m_index.segment(image.info.segment);
    image.split = splitOf(image);
    if (image.info.frame % static_cast<std::uint32_t>(std::max(1, m_request.everyFrames)) != 0) return {};
    if (!writer.wants(image)) {
      ++m_outcome.withoutLabels;
      return {};
    }
    if (image.info.damaged) {
      const bool learnt = formatOf(m_request.format).learnt;
      if (learnt || copies()) noteDamaged(id);
      if (learnt) return {};
    }
    std::string bytes;
    if (m_hashes || copies()) {
      Result<std::string> read = m_index.imageBytes(id);
      if (!read.ok()) noteUnreadable(id, std::move(read).error());
      if (!read.ok() && copies()) return {};
      if (read.ok()) bytes = std::move(read).value();
      if (m_hashes) image.sha256 = read.ok() ? sha256Hex(bytes) : std::string();
    }
    name(image, bytes);
    if (copies()) ROADTUNE_CHECK(writePicture(image, bytes));
    const std::optional<std::size_t> asText = writer.boxesAsText(image);
    if (!asText)
      for (Box& box : m_index.boxes(id))
        if (passes(box, image.info)) image.boxes.push_back(std::move(box));
    for (Box& crowd : m_index.crowds(id)) {
      if (crowd.type != kUnknown && m_classes.positionOf(crowd.type) < 0) continue;
      ++m_outcome.crowds;
      if (writer.hasWordFor(crowd))
        image.crowds.push_back(std::move(crowd));
      else
        ++m_outcome.crowdsLeftOut;
    }
    m_outcome.boxes += asText.value_or(image.boxes.size());
    ++m_outcome.images;
    return writer.add(image);
  }

  bool copies() const { return !m_request.images.empty(); }

  void noteDamaged(ImageId image) {
    ++m_outcome.damagedPictures;
    m_outcome.damagedLeftOut = formatOf(m_request.format).learnt;
    if (m_outcome.damaged.size() < kNamed) m_outcome.damaged.push_back(m_index.imageLabel(image));
  }

  void noteUnreadable(ImageId image, Error error) {
    ++m_outcome.withoutPicture;
    if (m_outcome.unreadable.size() < kNamed) m_outcome.unreadable.push_back(m_index.imageLabel(image));
    if (m_firstError) return;
    m_outcome.whyUnreadable = error.what;
    m_firstError = std::move(error);
  }

  bool nothingWasReadable() const {
    return m_outcome.withoutPicture > 0 && m_outcome.images == (copies() ? 0 : m_outcome.withoutPicture);
  }

  bool passes(const Box& box, const ImageInfo& info) {
    if (m_classes.positionOf(box.type) < 0) {
      m_outcome.otherClasses.insert(m_index.classNames()[box.type]);
      return false;
    }
    if (cameraBoxLevel(box.detectionLevel) > m_request.maxLevel) return false;
    if (std::min(box.w, box.h) < m_request.minBoxPixels) return false;
    if (formatOf(m_request.format).learnt && !box.showsIn(info.width, info.height)) {  // an edge is nothing to learn
      ++m_outcome.boxesWithoutArea;
      return false;
    }
    if (m_request.minModelPixels <= 0 || info.width <= 0 || info.height <= 0) return true;
    return std::min(box.w * m_request.modelSize / info.width, box.h * m_request.modelSize / info.height) >=
           m_request.minModelPixels;
  }

  // Pictures of recordings get a name of their own; others keep theirs, below the folder of the pictures.
  std::string wantedName(const ExportImage& image, const std::string& bytes) const {
    const std::string given(image.segment->imageName(image.info.row));
    const std::string own = safeName(image.segment->info().name) + "_" + std::to_string(image.info.timestamp);
    if (image.info.camera != Camera::Unknown) return own + "_" + std::string(cameraName(image.info.camera)) + ".jpg";
    if (!given.empty()) {
      const bool inside = !fs::path(given).is_absolute() && given.find("..") == std::string::npos;
      return inside ? given : fs::path(given).filename().string();
    }
    const ImageFormat format = sniffImageFormat(asBytes(bytes));
    return own + (format == ImageFormat::Png ? ".png" : format == ImageFormat::Webp ? ".webp" : ".jpg");
  }

  void name(ExportImage& image, const std::string& bytes) {
    image.name = wantedName(image, bytes);
    if (copies()) image.name = toValidUtf8(image.name);  // files of labels hold nothing else
    // Label files lie in one flat folder, and pictures are named like them.
    const bool flat = writesFolder(m_request.format);
    if (flat) std::replace(image.name.begin(), image.name.end(), '/', '_');
    const auto allowed = [&](const std::string& name) {
      return !m_pictures.isOfAnother(m_request.images / pictureFolder(image) / name, image.info.id);
    };
    image.name =
        m_names.take(image.name, pictureFolder(image), flat, copies() ? PictureNames::Allowed(allowed) : nullptr);
    image.reference = image.name;
    if (!copies()) {
      const bool named = !image.segment->imageName(image.info.row).empty() && m_request.format != ExportFormat::Coco;
      if (const fs::path file = named ? m_index.imageFile(image.info.id) : fs::path(); !file.empty())
        image.reference = file.string();
      return;
    }
    if (m_request.format != ExportFormat::Jsonl && m_request.format != ExportFormat::PaliGemma) return;
    const fs::path folder = fs::absolute(m_request.out).parent_path();
    const fs::path relative =
        fs::absolute(m_request.images / image.name).lexically_normal().lexically_relative(folder.lexically_normal());
    image.reference = relative.empty() || relative.string().starts_with("..")
                          ? fs::absolute(m_request.images / image.name).lexically_normal().string()
                          : relative.string();
  }

  Status writePicture(const ExportImage& image, const std::string& bytes) {
    const fs::path file = m_request.images / pictureFolder(image) / image.name;
    if (m_pictures.isOf(file, image.info.id)) {  // it is there
      if (m_files) m_files->keep(file);
      return {};
    }
    if (m_files) return m_files->write(file, bytes);
    if (m_folders.insert(file.parent_path()).second) ROADTUNE_CHECK(makeFolders(file.parent_path()));
    return replaceFile(file, bytes);
  }

  std::string splitOf(const ExportImage& image) const {
    if (m_request.heldOut) return m_request.heldOut->contains(image.info.id) ? "validation" : "training";
    const std::string& split = image.segment->info().split;
    return split.empty() ? "all" : safeName(split);
  }

  // Below that of all pictures; those of YOLO lie apart by split.
  std::string pictureFolder(const ExportImage& image) const {
    return m_request.format == ExportFormat::Yolo ? image.split : std::string();
  }

  Status attribute() const {
    if (!m_outcome.waymo) return {};
    const bool folder = formatOf(m_request.format).folder;
    const fs::path place = folder ? m_request.out : fs::absolute(m_request.out).parent_path();
    ROADTUNE_CHECK(writeFileAtomically(place / "ATTRIBUTION", waymoAttribution()));
    if (!copies()) return {};
    return writeFileAtomically(m_request.images / "ATTRIBUTION", waymoAttribution());
  }

  std::unique_ptr<WrittenFiles> m_files;
  const Index& m_index;
  const ExportRequest& m_request;
  const ExportClasses& m_classes;
  ProgressSink& m_progress;
  const bool m_hashes;
  PictureNames m_ownNames;
  PictureNames& m_names;
  const SourcePictures m_pictures;
  ExportOutcome m_outcome;
  std::optional<Error> m_firstError;
  std::set<fs::path> m_folders;
};

}  // namespace

void ExportOutcome::add(const ExportOutcome& part) {
  images += part.images;
  boxes += part.boxes;
  crowds += part.crowds;
  crowdsLeftOut += part.crowdsLeftOut;
  withoutLabels += part.withoutLabels;
  withoutPicture += part.withoutPicture;
  boxesWithoutArea += part.boxesWithoutArea;
  damagedPictures += part.damagedPictures;
  damagedLeftOut |= part.damagedLeftOut;
  if (damaged.empty()) damaged = part.damaged;
  if (unreadable.empty()) {
    unreadable = part.unreadable;
    whyUnreadable = part.whyUnreadable;
  }
  otherClasses.insert(part.otherClasses.begin(), part.otherClasses.end());
  otherWords.insert(part.otherWords.begin(), part.otherWords.end());
  waymo = waymo || part.waymo;
}

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

int ExportClasses::positionOf(std::uint8_t number) const {
  const auto found = std::find(numbers.begin(), numbers.end(), number);
  return found == numbers.end() ? -1 : static_cast<int>(found - numbers.begin());
}

Result<ExportFormat> parseExportFormat(const std::string& name) {
  std::vector<std::string> names;
  for (const FormatName& format : kFormats) {
    if (format.name == name) return format.format;
    names.emplace_back(format.name);
  }
  return badInput("unknown format '" + name + "'", "--format", join(names, ", "));
}

bool writesFolder(ExportFormat format) { return formatOf(format).folder; }

namespace {

// Labels that the index was made from are nobody's to replace.
Status requireNoSource(const Index& index, const fs::path& out) {
  std::error_code code;
  const fs::path target = fs::canonical(out, code);
  if (code) return {};
  if (sourcesOf(index).contains(target))
    return badInput("is a file that the index was made from", out.string(), "another --out");
  const IndexLayout own{fs::canonical(index.folder(), code)};
  const std::set<fs::path> files{own.catalogue(), own.problems(), own.userData()},
      folders{own.segmentFolder(), own.blobFolder(), own.thumbnailFolder()};
  if (files.contains(target) || folders.contains(target.parent_path()))
    return badInput("is a file of the index itself", out.string(), "another --out");
  return {};
}

}  // namespace

Result<ExportOutcome> exportImages(const Index& index, std::vector<ImageId> images, const ExportRequest& request,
                                   ProgressSink& progress) {
  ROADTUNE_CHECK(requireNoSource(index, request.out));
  std::sort(images.begin(), images.end());
  ROADTUNE_TRY(const ExportClasses classes, chooseClasses(index, request));
  if (!request.images.empty() && looksLikePack(index.folder()))
    return badInput("the pictures of a pack are squashed to a square, while its boxes are those of the originals",
                    index.folder().string(),
                    "export from the index that the pack was made from, or leave out --images");
  if (!request.images.empty()) ROADTUNE_CHECK(makeFolders(request.images));
  return Exporter(index, request, classes, progress).run(images);
}

}  // namespace roadtune::data
