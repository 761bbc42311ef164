// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/evaluator.h"

#include "core/base/text.h"
#include "core/data/query/image_terms.h"
#include "core/data/query/plan_keys.h"
#include "core/data/query/segment_tasks.h"
#include "core/data/query/sort_images.h"
#include "core/data/query/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <unordered_map>

namespace roadtune::data {

namespace {

constexpr std::size_t kKeptBitmaps = 256, kKeptOrders = 8;

std::string_view segmentWord(const SegmentInfo& info, ImageField field) {
  switch (field) {
    case ImageField::Segment: return info.name;
    case ImageField::Split: return info.split;
    case ImageField::Time: return info.time;
    case ImageField::Location: return info.location;
    default: return info.weather;
  }
}

bool isSegmentField(ImageField field) {
  return field == ImageField::Segment || field == ImageField::Split || field == ImageField::Time ||
         field == ImageField::Location || field == ImageField::Weather;
}

bool wordsMatch(const QueryNode& node, std::string_view word) {
  const bool found = std::any_of(node.values.begin(), node.values.end(),
                                 [&](const Operand& value) { return wordMatches(node.field, word, value.text); });
  return found != (node.compare == Compare::NotEqual);
}

// Names as cameraFromName() reads them, and with wildcards.
bool camerasMatch(const QueryNode& node, Camera camera) {
  const bool found = std::any_of(node.values.begin(), node.values.end(), [&](const Operand& value) {
    return cameraFromName(value.text) == camera || wordMatches(node.field, cameraName(camera), value.text);
  });
  return found != (node.compare == Compare::NotEqual);
}

// A condition on columns of one image.
bool rowMatches(const QueryNode& node, const Segment& segment, std::size_t row) {
  const ImageColumns& images = segment.images();
  const auto number = [&](double value) { return numberMatches(value, node.compare, node.values); };
  switch (node.field) {
    case ImageField::Timestamp: return number(static_cast<double>(images.timestamp[row]));
    case ImageField::Frame: return number(segment.frameOf(row));
    case ImageField::Width: return number(images.width[row]);
    case ImageField::Height: return number(images.height[row]);
    case ImageField::BoxCount: return number(images.boxStart[row + 1] - images.boxStart[row]);
    case ImageField::Labelled: return truthMatches(images.flags[row] & kLabelled, node.compare, node.values);
    default: return false;
  }
}

}  // namespace

Evaluator::Evaluator(std::shared_ptr<const Index> index)
    : m_index(std::move(index)), m_boxBits(m_index), m_leaves(kKeptBitmaps), m_orders(kKeptOrders) {}

void Evaluator::setTags(std::map<std::string, std::vector<ImageId>> tags) {
  m_tags = std::move(tags);
  m_leaves.clear();
}

void Evaluator::setNotes(std::map<ImageId, std::string> notes) {
  m_notes = std::move(notes);
  m_leaves.clear();
}

Status Evaluator::forEachSegment(const CancelToken& cancel, const std::function<void(std::size_t)>& work) const {
  return forEachOf(m_index->segmentCount(), cancel, work);
}

Result<Bitmap> Evaluator::evaluate(const QueryNode& node, const CancelToken& cancel) {
  switch (node.kind) {
    case QueryNode::Kind::Everything: return Bitmap(m_index->imageCount(), true);
    case QueryNode::Kind::Not: {
      ROADTUNE_TRY(Bitmap bits, evaluate(*node.children.front(), cancel));
      bits.invert();
      return bits;
    }
    case QueryNode::Kind::And:
    case QueryNode::Kind::Or: {
      ROADTUNE_TRY(Bitmap bits, evaluate(*node.children.front(), cancel));
      for (std::size_t i = 1; i < node.children.size(); ++i) {
        ROADTUNE_TRY(const Bitmap other, evaluate(*node.children[i], cancel));
        node.kind == QueryNode::Kind::And ? bits.intersect(other) : bits.unite(other);
      }
      return bits;
    }
    case QueryNode::Kind::Image:
    case QueryNode::Kind::Boxes: break;
  }
  ROADTUNE_TRY(const Bitmap* bits, leaf(node, cancel));
  return *bits;
}

Result<const Bitmap*> Evaluator::leaf(const QueryNode& node, const CancelToken& cancel) {
  if (const Bitmap* known = m_leaves.find(node.key)) return known;
  ROADTUNE_TRY(Bitmap bits, makeLeaf(node, cancel));
  return static_cast<const Bitmap*>(m_leaves.keep(node.key, std::move(bits)));
}

Result<Bitmap> Evaluator::makeLeaf(const QueryNode& node, const CancelToken& cancel) {
  if (node.kind == QueryNode::Kind::Boxes) return boxLeaf(node, cancel);
  if (node.field == ImageField::Tag) return tagLeaf(node);
  if (node.field == ImageField::Note) return noteLeaf(node);
  if (node.field == ImageField::Loss) return lossLeaf(node);
  return imageLeaf(node, cancel);
}

Result<Bitmap> Evaluator::imageLeaf(const QueryNode& node, const CancelToken& cancel) {
  if (isSegmentField(node.field)) {
    Bitmap bits(m_index->imageCount());
    std::unordered_map<std::string_view, bool> known;  // most words are those of many segments
    for (std::size_t s = 0; s < m_index->segmentCount(); ++s) {
      const std::string_view word = segmentWord(m_index->segment(s).info(), node.field);
      const auto [answer, isNew] = known.try_emplace(word);
      if (isNew) answer->second = wordsMatch(node, word);
      if (answer->second) bits.setRange(m_index->firstImage(s), m_index->firstImage(s + 1));
    }
    return bits;
  }
  if (node.field == ImageField::Camera) return cameraLeaf(node);
  std::vector<std::uint8_t> hits(m_index->imageCount());
  ROADTUNE_CHECK(forEachSegment(cancel, [&](std::size_t s) {
    const Segment& segment = m_index->segment(s);
    std::uint8_t* out = hits.data() + m_index->firstImage(s);
    for (std::size_t row = 0; row < segment.images().size(); ++row) out[row] = rowMatches(node, segment, row);
  }));
  return Bitmap(hits);
}

// A byte per image is so little to read that starting a second thread would take longer.
Bitmap Evaluator::cameraLeaf(const QueryNode& node) const {
  std::vector<std::uint8_t> cameras;
  for (int camera = 0; camera < kIndexCameraCount; ++camera)
    if (camerasMatch(node, static_cast<Camera>(camera))) cameras.push_back(static_cast<std::uint8_t>(camera));
  Bitmap bits(m_index->imageCount());
  std::array<std::uint8_t, 1024> hits{};
  const std::size_t segments = m_index->segmentCount();
  for (std::size_t s = 0; s < segments; ++s) {
    // Each column lies in a file of its own, where the processor does not expect it.
    const std::span<const std::uint8_t> next = m_index->segment(std::min(s + 1, segments - 1)).images().camera;
    for (std::size_t line = 0; line < next.size(); line += 64) __builtin_prefetch(next.data() + line);
    const std::span<const std::uint8_t> column = m_index->segment(s).images().camera;
    for (std::size_t begin = 0; begin < column.size(); begin += hits.size()) {
      const auto part = column.subspan(begin, std::min(hits.size(), column.size() - begin));
      std::fill_n(hits.begin(), part.size(), std::uint8_t{0});
      // A comparison at a time: these the compiler makes of whole vectors.
      for (const std::uint8_t camera : cameras)
        for (std::size_t row = 0; row < part.size(); ++row) hits[row] |= part[row] == camera;
      bits.setWhere(m_index->firstImage(s) + begin, hits.data(), part.size());
    }
  }
  return bits;
}

Result<Bitmap> Evaluator::boxLeaf(const QueryNode& node, const CancelToken& cancel) {
  std::vector<std::uint8_t> hits(m_index->imageCount());
  ROADTUNE_CHECK(m_boxBits.evaluate(*node.term.boxes, cancel, [&](std::size_t s, const std::uint64_t* bits) {
    const Segment& segment = m_index->segment(s);
    termHits(node, segment, bits, std::span(hits).subspan(m_index->firstImage(s), segment.images().size()));
  }));
  return Bitmap(hits);
}

Bitmap Evaluator::tagLeaf(const QueryNode& node) const {
  Bitmap bits(m_index->imageCount());
  for (const auto& [tag, images] : m_tags) {
    const bool wanted = std::any_of(node.values.begin(), node.values.end(), [word = tag](const Operand& value) {
      return wordMatches(ImageField::Tag, word, value.text);
    });
    if (!wanted) continue;
    for (const ImageId image : images)
      if (image < bits.size()) bits.set(image);
  }
  if (node.compare == Compare::NotEqual) bits.invert();
  return bits;
}

// `note` alone: has one; `note = word`: a note that contains it.
Bitmap Evaluator::noteLeaf(const QueryNode& node) const {
  Bitmap bits(m_index->imageCount());
  for (const auto& [image, text] : m_notes) {
    const std::string lowered = lower(text);
    const bool wanted =
        node.values.empty() || std::any_of(node.values.begin(), node.values.end(),
                                           [&](const Operand& v) { return lowered.find(v.text) != std::string::npos; });
    if (wanted && image < bits.size()) bits.set(image);
  }
  if (node.compare == Compare::NotEqual) bits.invert();
  return bits;
}

// Images that the run never saw meet no condition.
Bitmap Evaluator::lossLeaf(const QueryNode& node) const {
  Bitmap bits(m_index->imageCount());
  if (const auto losses = m_runLosses.of(node.run))
    for (const ImageLosses::Entry& one : losses->entries)
      if (numberMatches(lossRank(one.summary.last), node.compare, node.values)) bits.set(one.image);
  return bits;
}

Result<Scratch<double>> Evaluator::termValues(const BoxTerm& term, const Bitmap& wanted, const CancelToken& cancel) {
  Scratch<double> values(m_index->imageCount());
  ROADTUNE_CHECK(m_boxBits.evaluate(*term.boxes, cancel, [&](std::size_t s, const std::uint64_t* bits) {
    data::termValues(term, m_index->segment(s), bits, wanted, m_index->firstImage(s), values.begin());
  }));
  return values;
}

// One look at the classes of all boxes serves 64 classes.
Result<const std::vector<Bitmap>*> Evaluator::classImages(const CancelToken& cancel) {
  const std::size_t classes = m_index->classNames().size();
  if (m_classImages.size() == classes) return static_cast<const std::vector<Bitmap>*>(&m_classImages);
  std::vector<Bitmap> found(classes, Bitmap(m_index->imageCount()));
  std::vector<std::uint64_t> seen(m_index->imageCount());  // a bit per class
  for (std::size_t base = 0; base < classes; base += 64) {
    ROADTUNE_CHECK(forEachSegment(cancel, [&](std::size_t s) {
      const Segment& segment = m_index->segment(s);
      const ImageColumns& images = segment.images();
      const std::uint8_t* type = segment.boxes().type.data();
      std::array<std::uint64_t, kMaxClasses> bit{};
      for (std::size_t stored = 0; stored < bit.size(); ++stored) {
        const std::size_t number = segment.classOf(static_cast<std::uint8_t>(stored));
        if (number >= base && number < base + 64) bit[stored] = 1ull << (number - base);
      }
      std::uint64_t* out = seen.data() + m_index->firstImage(s);
      for (std::size_t row = 0; row < images.size(); ++row) {
        std::uint64_t all = 0;
        for (std::size_t i = images.boxStart[row]; i < images.boxStart[row + 1]; ++i) all |= bit[type[i]];
        out[row] = all;
      }
    }));
    for (std::size_t image = 0; image < seen.size(); ++image)
      for (std::uint64_t left = seen[image]; left; left &= left - 1)
        found[base + static_cast<std::size_t>(std::countr_zero(left))].set(image);
  }
  m_classImages = std::move(found);
  return static_cast<const std::vector<Bitmap>*>(&m_classImages);
}

bool Evaluator::knowsOrder(const SortOrder& order) { return m_orders.find(keyOf(order)) != nullptr; }

Result<std::shared_ptr<const std::vector<ImageId>>> Evaluator::order(const SortOrder& order,
                                                                     const CancelToken& cancel) {
  const std::string key = keyOf(order);
  if (const auto* known = m_orders.find(key)) return *known;
  const std::size_t count = m_index->imageCount();
  ROADTUNE_TRY(std::vector<ImageId> images, sortSubset(nullptr, Bitmap(count, true), order, count, *this, cancel));
  return *m_orders.keep(key, std::make_shared<const std::vector<ImageId>>(std::move(images)));
}

}  // namespace roadtune::data
