// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/sort_images.h"

#include "core/data/query/scratch.h"
#include "core/data/query/segment_tasks.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace roadtune::data {

namespace {

// Unsigned numbers in the order of the doubles; not a number comes last.
std::uint64_t orderedBits(double value) {
  if (std::isnan(value)) return ~0ull;
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  return bits >> 63 ? ~bits : bits | (1ull << 63);
}

constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = 1u << kDigitBits;

// Stable, by the upper half of each number, eleven bits at a time; digits that are equal everywhere cost one look.
// Every part counts its digits, learns where its items of each digit go, and puts them there.
void radixSort(Scratch<std::uint64_t>& items) {
  using Counts = std::array<std::uint32_t, kDigits>;
  const std::size_t parts = partsOf(items.size());
  std::vector<Counts> start(parts);
  Scratch<std::uint64_t> other(items.size());
  for (int shift = 32; shift < 64; shift += kDigitBits) {
    const auto digit = [shift](std::uint64_t item) { return (item >> shift) & (kDigits - 1); };
    forEachPart(items.size(), [&](std::size_t begin, std::size_t end, std::size_t part) {
      start[part].fill(0);
      for (std::size_t i = begin; i < end; ++i) ++start[part][digit(items[i])];
    });
    std::uint32_t sum = 0, most = 0;
    for (std::size_t value = 0; value < kDigits; ++value) {
      const std::uint32_t before = sum;
      for (Counts& counts : start) sum += std::exchange(counts[value], sum);
      most = std::max(most, sum - before);
    }
    if (most == items.size()) continue;
    forEachPart(items.size(), [&](std::size_t begin, std::size_t end, std::size_t part) {
      Counts& next = start[part];
      for (std::size_t i = begin; i < end; ++i) other[next[digit(items[i])]++] = items[i];
    });
    items.swap(other);
  }
}

// Coordinates are multiples of 2^-21, and times, counts and ranks are whole: where all values fit 32 bits so, these say
// everything. Otherwise the upper half of the ordered bits does nearly; ties are settled afterwards.
class SortKeys {
 public:
  SortKeys(const Scratch<double>& values, bool descending) : m_values(values), m_descending(descending) {
    struct Range {
      double low = std::numeric_limits<double>::infinity(), high = -low;
    };
    std::vector<Range> ranges(partsOf(values.size()));
    forEachPart(values.size(), [&](std::size_t begin, std::size_t end, std::size_t part) {
      Range range;
      for (std::size_t i = begin; i < end; ++i) {  // not a number is neither
        range.low = values[i] < range.low ? values[i] : range.low;
        range.high = values[i] > range.high ? values[i] : range.high;
      }
      ranges[part] = range;
    });
    Range all;
    for (const Range& range : ranges) {
      all.low = std::min(all.low, range.low);
      all.high = std::max(all.high, range.high);
    }
    for (const double scale : {1.0, 2097152.0}) {
      if (m_exact || !(all.high >= all.low) || (all.high - all.low) * scale >= 4294967294.0) continue;
      m_low = all.low;
      m_scale = scale;
      m_exact = allWhole();
    }
  }

  bool exact() const { return m_exact; }
  std::uint64_t full(std::size_t i) const {
    const std::uint64_t bits = orderedBits(m_values[i]);
    return m_descending && bits != ~0ull ? ~bits - 1 : bits;
  }
  std::uint32_t upper(std::size_t i) const {
    if (!m_exact) return static_cast<std::uint32_t>(full(i) >> 32);
    if (std::isnan(m_values[i])) return ~0u;
    const auto steps = static_cast<std::uint32_t>((m_values[i] - m_low) * m_scale);
    return m_descending ? ~0u - 1 - steps : steps;
  }

 private:
  bool allWhole() const {
    std::atomic<bool> whole{true};
    forEachPart(m_values.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
      const bool here = std::all_of(m_values.begin() + begin, m_values.begin() + end, [&](double value) {
        const double steps = (value - m_low) * m_scale;
        return std::isnan(value) || steps == static_cast<double>(static_cast<std::uint32_t>(steps));
      });
      if (!here) whole = false;
    });
    return whole;
  }

  const Scratch<double>& m_values;
  bool m_descending, m_exact = false;
  double m_low = 0, m_scale = 1;
};

// Positions of the values in order, in the lower halves; equal ones stay as they are.
Scratch<std::uint64_t> orderOf(const Scratch<double>& values, bool descending, std::size_t limit) {
  const SortKeys keys(values, descending);
  Scratch<std::uint64_t> packed(values.size());  // key and position
  forEachPart(values.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) packed[i] = std::uint64_t{keys.upper(i)} << 32 | i;
  });
  constexpr std::size_t kFewShare = 4;
  if (keys.exact() && limit < packed.size() / kFewShare) {
    std::nth_element(packed.begin(), packed.begin() + limit, packed.end());
    packed.shrink(limit);
    std::sort(packed.begin(), packed.end());
    return packed;
  }
  radixSort(packed);
  const auto byKey = [&](std::uint64_t a, std::uint64_t b) {
    return keys.full(a & 0xffffffffu) < keys.full(b & 0xffffffffu);
  };
  for (std::size_t begin = 0, end; !keys.exact() && begin < packed.size(); begin = end) {
    for (end = begin + 1; end < packed.size() && packed[end] >> 32 == packed[begin] >> 32;) ++end;
    if (end - begin > 1) std::stable_sort(packed.begin() + begin, packed.begin() + end, byKey);
  }
  packed.shrink(limit);
  return packed;
}

// By image; those that the run never saw have no number.
std::vector<double> lossValues(const Evaluator& evaluator, const std::string& run) {
  std::vector<double> values(evaluator.index().imageCount(), std::numeric_limits<double>::quiet_NaN());
  constexpr double kHighest = 1e30;  // an infinity would leave no grid to sort on
  if (const auto losses = evaluator.losses(run))
    for (const ImageLosses::Entry& one : losses->entries)
      values[one.image] = std::min(kHighest, lossRank(one.summary.last));
  return values;
}

// Segments by the rank of a word of theirs.
std::vector<double> rankSegments(const Index& index, ImageField field) {
  const auto word = [&](std::size_t i) -> const std::string& {
    const SegmentInfo& info = index.segment(i).info();
    switch (field) {
      case ImageField::Split: return info.split;
      case ImageField::Time: return info.time;
      case ImageField::Location: return info.location;
      case ImageField::Weather: return info.weather;
      default: return info.name;
    }
  };
  std::map<std::string, double> ranks;
  for (std::size_t i = 0; i < index.segmentCount(); ++i) ranks[word(i)] = 0;
  double rank = 0;
  for (auto& [name, value] : ranks) value = rank++;
  std::vector<double> result;
  for (std::size_t i = 0; i < index.segmentCount(); ++i) result.push_back(ranks[word(i)]);
  return result;
}

double valueOf(const Segment& segment, ImageField field, std::size_t row) {
  const ImageColumns& images = segment.images();
  switch (field) {
    case ImageField::Timestamp: return static_cast<double>(images.timestamp[row]);
    case ImageField::Frame: return segment.frameOf(row);
    case ImageField::Camera: return images.camera[row];
    case ImageField::Width: return images.width[row];
    case ImageField::Height: return images.height[row];
    case ImageField::BoxCount: return images.boxStart[row + 1] - images.boxStart[row];
    case ImageField::Labelled: return images.flags[row] & kLabelled;
    default: return 0;
  }
}

bool isColumn(ImageField field) {
  return field == ImageField::Timestamp || field == ImageField::Frame || field == ImageField::Camera ||
         field == ImageField::Width || field == ImageField::Height || field == ImageField::BoxCount ||
         field == ImageField::Labelled;
}

}  // namespace

Result<std::vector<ImageId>> sortSubset(const std::vector<ImageId>* subset, const Bitmap& bits, const SortOrder& sort,
                                        std::size_t limit, Evaluator& evaluator, const CancelToken& cancel) {
  const Index& index = evaluator.index();
  const std::size_t count = subset ? subset->size() : index.imageCount();
  const auto imageAt = [&](std::size_t place) { return subset ? (*subset)[place] : static_cast<ImageId>(place); };
  Scratch<double> values(0);
  std::vector<double> ranks, byImage;
  if (!sort.byTerm && sort.field == ImageField::Loss) byImage = lossValues(evaluator, sort.run);
  if (sort.byTerm) {
    ROADTUNE_TRY(values, evaluator.termValues(sort.term, bits, cancel));
  } else if (byImage.empty() && !isColumn(sort.field)) {
    ranks = rankSegments(index, sort.field);
  }
  if (!sort.byTerm || subset) {
    const Scratch<double> terms = std::exchange(values, Scratch<double>(count));
    forEachPart(count, [&](std::size_t begin, std::size_t end, std::size_t) {
      std::size_t segment = begin < end ? index.image(imageAt(begin)).segment : 0;
      for (std::size_t i = begin; i < end; ++i) {
        const ImageId image = imageAt(i);
        while (image >= index.firstImage(segment + 1)) ++segment;
        values[i] = sort.byTerm        ? terms[image]
                    : !byImage.empty() ? byImage[image]
                    : !ranks.empty()   ? ranks[segment]
                                       : valueOf(index.segment(segment), sort.field, image - index.firstImage(segment));
      }
    });
  }
  if (cancel.cancelled()) return cancelled();
  const Scratch<std::uint64_t> places = orderOf(values, sort.descending, limit);
  std::vector<ImageId> sorted(places.size());
  forEachPart(places.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) sorted[i] = imageAt(static_cast<std::uint32_t>(places[i]));
  });
  return sorted;
}

Result<std::vector<ImageId>> sortImages(const Bitmap& bits, const SortOrder& sort, std::size_t limit,
                                        Evaluator& evaluator, const CancelToken& cancel) {
  constexpr std::size_t kSmallShare = 8;
  const std::size_t count = bits.count(), wanted = std::min(limit, count);
  if (!evaluator.knowsOrder(sort) && count < bits.size() / kSmallShare) {
    const std::vector<ImageId> subset = bits.places();
    return sortSubset(&subset, bits, sort, limit, evaluator, cancel);
  }
  ROADTUNE_TRY(const auto all, evaluator.order(sort, cancel));
  std::vector<ImageId> images;
  if (count == all->size()) {
    images.assign(all->begin(), all->begin() + static_cast<std::ptrdiff_t>(wanted));
    return images;
  }
  images.reserve(wanted);
  for (const ImageId image : *all) {
    if (images.size() == wanted) break;
    if (bits.test(image)) images.push_back(image);
  }
  return images;
}

}  // namespace roadtune::data
