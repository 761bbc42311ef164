// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/task_text.h"

#include "core/base/hash.h"
#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace roadtune::data {

namespace {

text::BoxOrdering orderingOf(BoxOrder order) {
  switch (order) {
    case BoxOrder::Shuffle: return text::BoxOrdering::Shuffled;
    case BoxOrder::TopLeft: return text::BoxOrdering::TopLeft;
    case BoxOrder::Area: return text::BoxOrdering::LargestFirst;
    case BoxOrder::Stored: break;
  }
  return text::BoxOrdering::AsGiven;
}

std::vector<Box> wantedBoxes(const Index& index, ImageId image, const TaskTemplate& task,
                             const std::vector<std::uint8_t>& classes) {
  std::vector<Box> boxes = index.boxes(image);
  const ImageInfo info = index.image(image);
  std::erase_if(boxes, [&](const Box& box) {
    return std::find(classes.begin(), classes.end(), box.type) == classes.end() ||
           std::min(box.w, box.h) < task.minBoxPx || !box.showsIn(info.width, info.height);
  });
  const auto most = static_cast<std::size_t>(std::max(0, task.maxBoxes));
  if (most == 0 || boxes.size() <= most) return boxes;
  std::vector<double> areas;
  for (const Box& box : boxes) areas.push_back(box.w * box.h);
  std::nth_element(areas.begin(), areas.begin() + static_cast<std::ptrdiff_t>(most) - 1, areas.end(), std::greater<>());
  const double smallest = areas[most - 1];
  auto spare = most - static_cast<std::size_t>(std::count_if(boxes.begin(), boxes.end(),
                                                             [&](const Box& box) { return box.w * box.h > smallest; }));
  std::erase_if(boxes, [&](const Box& box) {
    const double area = box.w * box.h;
    if (area > smallest) return false;
    if (area < smallest || spare == 0) return true;
    --spare;
    return false;
  });
  return boxes;
}

// A crowd of a wanted class: no box to learn, but not nothing either. A region of no known class says too little of
// the wanted ones to leave the picture out.
bool showsCrowd(const Index& index, ImageId image, const std::vector<std::uint8_t>& classes) {
  const std::vector<Box> crowds = index.crowds(image);
  return std::any_of(crowds.begin(), crowds.end(), [&](const Box& crowd) {
    return std::find(classes.begin(), classes.end(), crowd.type) != classes.end();
  });
}

void addCrowds(const Index& index, ImageId image, const std::vector<std::uint8_t>& classes, Sample& sample) {
  for (const Box& crowd : index.crowds(image))
    for (const std::uint8_t type : classes)
      if (crowdIsOf(crowd.type, type))
        sample.crowds.push_back({{crowd.x, crowd.y, crowd.x + crowd.w, crowd.y + crowd.h}, index.classNames()[type]});
}

// "which of vehicle, pedestrian and cyclist": the question does not give the answer away.
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

// YAML takes blanks at the end of a word away.
std::string beforeQuestion(const TaskTemplate& task) {
  if (task.prompt.empty()) return "answer en ";
  return task.prompt.ends_with(' ') || task.prompt.ends_with('\n') ? task.prompt : task.prompt + ' ';
}

void writeQuestion(const Index& index, const std::vector<Box>& boxes, const TaskTemplate& task, Sample& sample) {
  sample.prefix = task.prompt.empty() ? "answer en which of " + listed(task.classes) + " are visible?" : task.prompt;
  std::set<std::string> seen;
  for (const Box& box : boxes) seen.insert(index.classNames()[box.type]);
  sample.suffix = seen.empty() ? "none" : join({seen.begin(), seen.end()}, ", ");
}

void writeCaption(const Index& index, ImageId image, const std::vector<Box>& boxes, const TaskTemplate& task,
                  Sample& sample) {
  sample.prefix = task.prompt.empty() ? "caption en" : task.prompt;
  std::map<std::string, int> counts;
  for (const Box& box : boxes) ++counts[index.classNames()[box.type]];
  std::vector<std::string> parts;
  for (const std::string& name : task.classes)
    if (const int n = counts[name]; n > 0) parts.push_back(std::to_string(n) + " " + name + (n > 1 ? "s" : ""));
  const SegmentInfo& segment = index.segment(index.locate(image).first).info();
  std::vector<std::string> scene;
  for (const std::string& word : {lower(segment.time), segment.weather})
    if (!word.empty()) scene.push_back(word);
  sample.suffix = parts.empty() ? "an empty road" : listed(parts);
  if (!scene.empty()) sample.suffix += ", " + join(scene, ", ");
}

void writeDetection(const Index& index, ImageId image, const std::vector<Box>& boxes, const TaskTemplate& task,
                    std::uint64_t epoch, Sample& sample) {
  sample.prefix = task.prompt.empty() ? text::detectionPrompt(task.classes) : task.prompt;
  for (const Box& box : boxes)
    sample.boxes.push_back({{box.x, box.y, box.x + box.w, box.y + box.h}, index.classNames()[box.type]});
  // Drawn from what the image is, not from its place in the source: a filter does not change the order of its boxes.
  sample.orderSeed = mix64(task.seed ^ mix64(epoch) ^ hash64(index.imageLabel(image)));
  sample.ordering = orderingOf(task.order);
  sample.suffix = text::detectionTarget(sample.boxes, sample.width, sample.height, sample.ordering, sample.orderSeed);
}

}  // namespace

bool taskCovers(const Index& index, ImageId image, const TaskTemplate& task, const std::vector<std::uint8_t>& classes) {
  const ImageInfo info = index.image(image);
  if (!info.available) return false;
  const Segment& segment = index.segment(info.segment);
  if (!segment.prefix(info.row).empty() || !segment.suffix(info.row).empty()) return true;
  if (task.unlabelled) return true;
  if (!info.labelled) return false;
  const bool mayBeEmpty = (task.task != "detect" || task.includeEmpty) && !showsCrowd(index, image, classes);
  return mayBeEmpty || !wantedBoxes(index, image, task, classes).empty();
}

void writeTaskText(const Index& index, ImageId image, const TaskTemplate& task,
                   const std::vector<std::uint8_t>& classes, std::uint64_t epoch, Sample& sample) {
  const auto [number, row] = index.locate(image);
  const Segment& segment = index.segment(number);
  if (!segment.prefix(row).empty() || !segment.suffix(row).empty()) {
    sample.prefix = segment.info().format == "vqa" ? beforeQuestion(task) : std::string();
    sample.prefix += segment.prefix(row);
    sample.suffix = std::string(segment.suffix(row));
    return;
  }
  const std::vector<Box> boxes = wantedBoxes(index, image, task, classes);
  if (task.task == "vqa") return writeQuestion(index, boxes, task, sample);
  if (task.task == "caption") return writeCaption(index, image, boxes, task, sample);
  writeDetection(index, image, boxes, task, epoch, sample);
  addCrowds(index, image, classes, sample);
}

}  // namespace roadtune::data
