// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/data/index/image_group.h"
#include "core/data/query/query.h"
#include "core/data/source/sources.h"
#include "core/data/source/task_text.h"

#include <algorithm>
#include <array>

namespace roadtune::data {

namespace {

class IndexSource : public SampleSource {
 public:
  IndexSource(std::shared_ptr<const Index> index, const std::vector<ImageId>& found, TaskTemplate task,
              std::vector<std::uint8_t> classes, std::vector<std::string> unknown)
      : m_index(std::move(index)),
        m_task(std::move(task)),
        m_classes(std::move(classes)),
        m_unknown(std::move(unknown)) {
    const auto labelled = [this](ImageId image) { return m_index->image(image).labelled; };
    std::uint32_t place = 0, after = static_cast<std::uint32_t>(std::ranges::count_if(found, labelled));
    for (const ImageId image : found) {
      const std::uint32_t here = labelled(image) ? place++ : after++;
      if (!taskCovers(*m_index, image, m_task, m_classes)) continue;
      m_images.push_back(image);
      m_places.push_back(here);
    }
  }

  std::size_t size() const override { return m_images.size(); }
  bool containsWaymoData() const override { return m_index->containsWaymoData(); }

  std::vector<std::string> unknownClasses() const override { return m_unknown; }

  CocoImageId imageId(std::size_t i) const override { return std::int64_t{m_places[i]} + 1; }
  std::map<std::string, std::int64_t> categoryNumbers() const override {
    return numberedByPlace(m_index->classNames());
  }

  std::string group(std::size_t i) const override { return groupOf(*m_index, m_images[i]); }

  std::string origin(std::size_t i) const override {
    const SegmentInfo& segment = segmentOf(i);
    if (startsWith(segment.format, "waymo")) return segment.name;  // no two of them are called the same
    return m_index->folder().string() + "\n" + m_index->imageLabel(m_images[i]);
  }

  std::string split(std::size_t i) const override { return segmentOf(i).split; }

  Result<Sample> text(std::size_t i, std::uint64_t epoch) const override {
    const ImageInfo info = m_index->image(m_images[i]);
    Sample sample;
    sample.id = m_index->imageLabel(m_images[i]);
    sample.width = info.width;
    sample.height = info.height;
    writeTaskText(*m_index, m_images[i], m_task, m_classes, epoch, sample);
    return sample;
  }

  Result<Sample> get(std::size_t i, std::uint64_t epoch) const override {
    ROADTUNE_TRY(Sample sample, text(i, epoch));
    Result<std::string> bytes = m_index->imageBytes(m_images[i]);
    if (!bytes.ok()) {
      Error error = bytes.error();
      error.what = "image " + sample.id + ": " + error.what;
      return error;
    }
    sample.image = std::move(bytes).value();
    return sample;
  }

 private:
  const SegmentInfo& segmentOf(std::size_t i) const {
    return m_index->segment(m_index->locate(m_images[i]).first).info();
  }

  std::shared_ptr<const Index> m_index;
  std::vector<ImageId> m_images;
  std::vector<std::uint32_t> m_places;  // among all that were asked for
  TaskTemplate m_task;
  std::vector<std::uint8_t> m_classes;
  std::vector<std::string> m_unknown;
};

// Classes of the template as numbers of the index. A class that Waymo knows may well not occur, and where nothing is
// labelled a model may be asked for any.
Result<std::vector<std::uint8_t>> classNumbers(const Index& index, const TaskTemplate& task) {
  std::vector<std::uint8_t> numbers;
  std::vector<std::string> unknown;
  for (const std::string& name : task.classes) {
    const auto number = index.findClass(name);
    if (number) numbers.push_back(*number);
    if (!number && (!task.unlabelled || index.boxCount() > 0)) unknown.push_back(name);
  }
  if (unknown.empty()) return numbers;
  const std::string near = unknown.size() == 1 ? nearestWord(unknown[0], index.classNames()) : std::string();
  return badInput("the index has no class '" + join(unknown, "' and no class '") + "'", index.folder().string(),
                  near.empty() ? join(index.classNames(), ", ") : near);
}

// Labels of another kind, say dogs, would teach that no picture shows anything. Waymo's classes may well not occur.
Status checkOccur(const Index& index, const std::vector<std::uint8_t>& wanted) {
  std::array<bool, kMaxClasses> seen{};
  for (std::size_t s = 0; s < index.segmentCount(); ++s) {
    const Segment& segment = index.segment(s);
    if (startsWith(segment.info().format, "waymo")) return {};
    for (const std::uint8_t type : segment.boxes().type) seen[segment.classOf(type)] = true;
  }
  if (std::any_of(wanted.begin(), wanted.end(), [&](std::uint8_t type) { return seen[type]; })) return {};
  std::vector<std::string> names;
  for (std::size_t type = 0; type < index.classNames().size(); ++type)
    if (seen[type]) names.push_back(index.classNames()[type]);
  if (names.empty() && !wanted.empty()) return {};
  constexpr std::size_t kNamed = 8;
  if (names.size() > kNamed) names.resize(kNamed), names.push_back("...");
  return badInput("has none of the classes to detect", index.folder().string(),
                  names.empty() ? "" : "set classes to some of its own: " + join(names, ", "));
}

Status checkPictures(const Index& index) {
  for (ImageId i = 0; i < index.imageCount(); ++i)
    if (index.image(i).available) return {};
  if (index.imageCount() == 0) return {};
  return badInput("none of its pictures was found when it was read", index.folder().string(),
                  "name their folder: `images` beside the path, or `--images`");
}

bool hasOwnText(const Index& index) {
  for (std::size_t i = 0; i < index.segmentCount(); ++i)
    if (const std::string& format = index.segment(i).info().format; format != "jsonl" && format != "vqa") return false;
  return true;
}

}  // namespace

std::map<std::string, std::int64_t> numberedByPlace(const std::vector<std::string>& classes) {
  std::map<std::string, std::int64_t> numbers;
  for (const std::string& name : classes) numbers.emplace(name, numbers.size());
  return numbers;
}

Result<std::unique_ptr<SampleSource>> openIndexSource(std::shared_ptr<const Index> index, const std::string& text,
                                                      const TaskTemplate& task, std::vector<std::string> unknown) {
  if (task.task != "detect" && task.task != "vqa" && task.task != "caption")
    return badInput("unknown task '" + task.task + "'", "task", "detect, vqa or caption");
  std::vector<std::uint8_t> classes;
  if (!hasOwnText(*index)) {
    ROADTUNE_TRY(classes, classNumbers(*index, task));
    if (task.task == "detect" && !task.unlabelled) ROADTUNE_CHECK(checkOccur(*index, classes));
  }
  ROADTUNE_TRY(const Query query, Query::parse(text));
  QueryEngine engine(index);
  if (query.asksForUserData()) {
    ROADTUNE_TRY(const auto user, UserData::openWritten(*index));
    if (user) ROADTUNE_CHECK(engine.setUserData(*user));
  }
  ROADTUNE_TRY(const QueryResult found, engine.run(query));
  auto source = std::make_unique<IndexSource>(index, found.images, task, std::move(classes), std::move(unknown));
  if (source->size() == 0) ROADTUNE_CHECK(checkPictures(*index));
  return std::unique_ptr<SampleSource>(std::move(source));
}

}  // namespace roadtune::data
