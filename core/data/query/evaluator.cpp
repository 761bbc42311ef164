// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/evaluator.h"

#include "core/base/text.h"
#include "core/data/query/box_program.h"
#include "core/data/query/values.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <thread>

namespace roadtune::data {

namespace {

constexpr std::size_t kKeptBitmaps = 256;

// What a term says about one image, from the mask of the segment's boxes.
class TermOfImage {
 public:
  TermOfImage(const BoxTerm& term, const Segment& segment, const std::vector<std::uint8_t>& mask)
      : m_term(term), m_segment(segment), m_mask(mask) {}

  double operator()(std::size_t row) const {
    const std::size_t begin = m_segment.images().boxStart[row], end = m_segment.images().boxStart[row + 1];
    switch (m_term.kind) {
      case BoxTerm::Kind::Any: return count(begin, end) > 0;
      case BoxTerm::Kind::None: return count(begin, end) == 0;
      case BoxTerm::Kind::All: return count(begin, end) == end - begin;
      case BoxTerm::Kind::Count: return static_cast<double>(count(begin, end));
      default: return aggregate(begin, end);
    }
  }

 private:
  std::size_t count(std::size_t begin, std::size_t end) const {
    unsigned total = 0;
    for (std::size_t i = begin; i < end; ++i) total += m_mask[i];
    return total;
  }

  double aggregate(std::size_t begin, std::size_t end) const {
    double sum = 0, low = std::numeric_limits<double>::infinity(), high = -low;
    std::size_t n = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (!m_mask[i]) continue;
      const double value = BoxMask::value(m_segment, m_term.field, i);
      sum += value;
      low = std::min(low, value);
      high = std::max(high, value);
      ++n;
    }
    if (m_term.kind == BoxTerm::Kind::Sum) return sum;
    if (n == 0) return std::nan("");
    if (m_term.kind == BoxTerm::Kind::Min) return low;
    return m_term.kind == BoxTerm::Kind::Max ? high : sum / static_cast<double>(n);
  }

  const BoxTerm& m_term;
  const Segment& m_segment;
  const std::vector<std::uint8_t>& m_mask;
};

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

// A condition on columns of one image.
bool rowMatches(const QueryNode& node, const Segment& segment, std::size_t row) {
  const ImageColumns& images = segment.images();
  const auto number = [&](double value) { return numberMatches(value, node.compare, node.values); };
  switch (node.field) {
    case ImageField::Timestamp: return number(static_cast<double>(images.timestamp[row]));
    case ImageField::Frame: return number(images.frame[row]);
    case ImageField::Width: return number(images.width[row]);
    case ImageField::Height: return number(images.height[row]);
    case ImageField::BoxCount: return number(images.boxStart[row + 1] - images.boxStart[row]);
    case ImageField::Camera: return wordsMatch(node, cameraName(static_cast<Camera>(images.camera[row])));
    case ImageField::Labelled: {
      bool wanted = true;
      for (const Operand& value : node.values) wanted = parseTruth(value.text).value_or(true);
      return ((images.flags[row] & kLabelled) != 0) == (wanted == (node.compare != Compare::NotEqual));
    }
    default: return false;
  }
}

}  // namespace

void Evaluator::setTags(std::map<std::string, std::vector<ImageId>> tags) {
  m_tags = std::move(tags);
  m_recent.clear();
  m_byKey.clear();
}

void Evaluator::setNotes(std::map<ImageId, std::string> notes) {
  m_notes = std::move(notes);
  m_recent.clear();
  m_byKey.clear();
}

Status Evaluator::forEachSegment(const CancelToken& cancel, const std::function<void(std::size_t)>& work) const {
  std::atomic<std::size_t> next{0};
  constexpr std::size_t kChunk = 16;
  const std::size_t total = m_index->segmentCount();
  const auto run = [&] {
    for (std::size_t begin = next.fetch_add(kChunk); begin < total && !cancel.cancelled();
         begin = next.fetch_add(kChunk))
      for (std::size_t i = begin; i < std::min(total, begin + kChunk); ++i) work(i);
  };
  const std::size_t threads =
      std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), (total + kChunk - 1) / kChunk);
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(run);
  run();
  for (std::thread& helper : helpers) helper.join();
  if (cancel.cancelled()) return cancelled();
  return {};
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
  if (const auto found = m_byKey.find(node.key); found != m_byKey.end()) {
    m_recent.splice(m_recent.begin(), m_recent, found->second);
    return &found->second->second;
  }
  ROADTUNE_TRY(Bitmap bits, makeLeaf(node, cancel));
  m_recent.emplace_front(node.key, std::move(bits));
  m_byKey[node.key] = m_recent.begin();
  if (m_recent.size() > kKeptBitmaps) {
    m_byKey.erase(m_recent.back().first);
    m_recent.pop_back();
  }
  return &m_recent.front().second;
}

Result<Bitmap> Evaluator::makeLeaf(const QueryNode& node, const CancelToken& cancel) {
  if (node.kind == QueryNode::Kind::Boxes) return boxLeaf(node, cancel);
  if (node.field == ImageField::Tag) return tagLeaf(node);
  if (node.field == ImageField::Note) return noteLeaf(node);
  return imageLeaf(node, cancel);
}

Result<Bitmap> Evaluator::imageLeaf(const QueryNode& node, const CancelToken& cancel) {
  std::vector<std::uint8_t> hits(m_index->imageCount());
  ROADTUNE_CHECK(forEachSegment(cancel, [&](std::size_t s) {
    const Segment& segment = m_index->segment(s);
    std::uint8_t* out = hits.data() + m_index->firstImage(s);
    const std::size_t rows = segment.images().size();
    if (isSegmentField(node.field)) {
      std::fill(out, out + rows, std::uint8_t{wordsMatch(node, segmentWord(segment.info(), node.field))});
    } else if (node.field == ImageField::Camera) {
      std::array<std::uint8_t, 256> wanted{};
      for (int camera = 0; camera < kIndexCameraCount; ++camera)
        wanted[static_cast<std::size_t>(camera)] = wordsMatch(node, cameraName(static_cast<Camera>(camera)));
      for (std::size_t row = 0; row < rows; ++row) out[row] = wanted[segment.images().camera[row]];
    } else {
      for (std::size_t row = 0; row < rows; ++row) out[row] = rowMatches(node, segment, row);
    }
  }));
  return Bitmap(hits);
}

Result<Bitmap> Evaluator::boxLeaf(const QueryNode& node, const CancelToken& cancel) {
  const BoxTerm& term = node.term;
  const bool truth =
      term.kind == BoxTerm::Kind::Any || term.kind == BoxTerm::Kind::All || term.kind == BoxTerm::Kind::None;
  std::vector<std::uint8_t> hits(m_index->imageCount());
  ROADTUNE_CHECK(forEachSegment(cancel, [&](std::size_t s) {
    thread_local std::vector<std::uint8_t> mask;
    const Segment& segment = m_index->segment(s);
    BoxMask(segment, m_index->classNames()).evaluate(*term.boxes, mask);
    const TermOfImage termOf(term, segment, mask);
    std::uint8_t* out = hits.data() + m_index->firstImage(s);
    for (std::size_t row = 0; row < segment.images().size(); ++row) {
      const double value = termOf(row);
      out[row] = truth ? value != 0 : numberMatches(value, node.compare, node.values, 1e-9 * std::abs(value));
    }
  }));
  return Bitmap(hits);
}

Bitmap Evaluator::tagLeaf(const QueryNode& node) const {
  Bitmap bits(m_index->imageCount());
  for (const auto& [tag, images] : m_tags) {
    const bool wanted = std::any_of(node.values.begin(), node.values.end(), [&](const Operand& value) {
      return wordMatches(ImageField::Tag, tag, value.text);
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

Result<std::vector<double>> Evaluator::termValues(const BoxTerm& term, const CancelToken& cancel) {
  std::vector<double> values(m_index->imageCount());
  ROADTUNE_CHECK(forEachSegment(cancel, [&](std::size_t s) {
    thread_local std::vector<std::uint8_t> mask;
    const Segment& segment = m_index->segment(s);
    BoxMask(segment, m_index->classNames()).evaluate(*term.boxes, mask);
    const TermOfImage termOf(term, segment, mask);
    double* out = values.data() + m_index->firstImage(s);
    for (std::size_t row = 0; row < segment.images().size(); ++row) out[row] = termOf(row);
  }));
  return values;
}

}  // namespace roadtune::data
