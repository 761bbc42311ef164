// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/augment_sample.h"

#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>
#include <utility>

namespace roadtune::data {
namespace {

constexpr double kLeastVisible = 0.25;  // share of a box's area that must stay in the picture

bool hasCodes(const std::string& text) {
  return text.find("<loc") != std::string::npos || text.find("<seg") != std::string::npos;
}

bool speaksOfSides(const std::string& text) {
  static const std::set<std::string> kSides = {"left",     "right",     "leftmost",  "rightmost",
                                               "lefthand", "righthand", "clockwise", "counterclockwise"};
  std::string word;
  for (const char c : lower(text) + " ") {
    if (std::isalpha(static_cast<unsigned char>(c))) {
      word += c;
      continue;
    }
    if (kSides.contains(word)) return true;
    word.clear();
  }
  return false;
}

// May the picture's pixels move, given what is said about it? With boxes, and for the empty answer of a detection.
struct Freedom {
  bool mirror = false, window = false;
};

Freedom freedomOf(const Sample& sample, bool boxesKnown) {
  const bool detection = boxesKnown || (sample.suffix.empty() && startsWith(sample.prefix, "detect "));
  if (hasCodes(sample.prefix) || (hasCodes(sample.suffix) && !boxesKnown)) return {};
  return {!speaksOfSides(sample.prefix) && !speaksOfSides(sample.suffix), detection};
}

// The boxes of an answer written as text. False when it is anything but a plain list of them.
bool readBoxes(Sample& sample, const Image& image) {
  if (sample.suffix.find("<loc") == std::string::npos || sample.suffix.find("<seg") != std::string::npos) return false;
  const auto parsed = text::parseDetections(sample.suffix, image.width, image.height);
  if (parsed.malformed > 0 || parsed.boxes.empty()) return false;
  if (!std::all_of(parsed.boxes.begin(), parsed.boxes.end(), [](const auto& box) { return box.valid; })) return false;
  for (const auto& box : parsed.boxes) sample.boxes.push_back({box.box, box.label});
  sample.ordering = text::BoxOrdering::AsGiven;
  return true;
}

double areaOf(const text::LocBox& box) { return std::max(0.0, box.x2 - box.x1) * std::max(0.0, box.y2 - box.y1); }

void moveBoxes(const Augmentation& a, std::vector<text::LabelledBox>& boxes) {
  std::vector<text::LabelledBox> kept;
  for (auto one : boxes) {
    const double area = areaOf(one.box);
    auto& box = one.box;
    box = {std::clamp(box.x1 - a.left, 0.0, static_cast<double>(a.width)),
           std::clamp(box.y1 - a.top, 0.0, static_cast<double>(a.height)),
           std::clamp(box.x2 - a.left, 0.0, static_cast<double>(a.width)),
           std::clamp(box.y2 - a.top, 0.0, static_cast<double>(a.height))};
    if (areaOf(box) <= 0 || areaOf(box) < kLeastVisible * area) continue;
    if (a.mirrored) std::tie(box.x1, box.x2) = std::pair(a.width - box.x2, a.width - box.x1);
    kept.push_back(std::move(one));
  }
  boxes = std::move(kept);
}

}  // namespace

void augmentSample(const AugmentSpec& spec, std::uint64_t seed, Image& image, Sample& sample) {
  Augmentation a = drawAugmentation(spec, image.width, image.height, seed);
  const bool boxesKnown = !sample.boxes.empty() || readBoxes(sample, image);
  const Freedom freedom = freedomOf(sample, boxesKnown);
  a.mirrored = a.mirrored && freedom.mirror;
  if (!freedom.window) {
    a.left = a.top = 0;
    a.width = image.width;
    a.height = image.height;
  }
  const bool moved = a.movesPixels(image.width, image.height);
  image = applyAugmentation(image, a);
  if (!moved || !boxesKnown) return;
  moveBoxes(a, sample.boxes);
  sample.width = image.width;
  sample.height = image.height;
  sample.suffix = text::detectionTarget(sample.boxes, image.width, image.height, sample.ordering, sample.orderSeed);
}

}  // namespace roadtune::data
