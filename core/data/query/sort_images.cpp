// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/sort_images.h"

#include <algorithm>
#include <array>
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
void radixSort(std::vector<std::uint64_t>& items) {
  std::uint64_t any = 0, all = ~0ull;
  for (const std::uint64_t item : items) {
    any |= item;
    all &= item;
  }
  const std::uint64_t varying = any ^ all;
  std::vector<std::uint64_t> other(items.size());
  for (int shift = 32; shift < 64; shift += kDigitBits) {
    if (((varying >> shift) & (kDigits - 1)) == 0) continue;
    std::array<std::size_t, kDigits> start{};
    for (const std::uint64_t item : items) ++start[(item >> shift) & (kDigits - 1)];
    std::size_t sum = 0;
    for (std::size_t& s : start) sum += std::exchange(s, sum);
    for (const std::uint64_t item : items) other[start[(item >> shift) & (kDigits - 1)]++] = item;
    items.swap(other);
  }
}

// Coordinates are multiples of 2^-21, and times, counts and ranks are whole: where all values fit 32 bits so, these say
// everything. Otherwise the upper half of the ordered bits does nearly; ties are settled afterwards.
class SortKeys {
 public:
  SortKeys(const std::vector<double>& values, bool descending) : m_values(values), m_descending(descending) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values) {
      if (std::isnan(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    for (const double scale : {1.0, 2097152.0}) {
      if (m_exact || !(high >= low) || (high - low) * scale >= 4294967294.0) continue;
      m_exact = std::all_of(values.begin(), values.end(), [&](double value) {
        const double steps = (value - low) * scale;
        return std::isnan(value) || steps == static_cast<double>(static_cast<std::uint32_t>(steps));
      });
      m_low = low;
      m_scale = scale;
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
  const std::vector<double>& m_values;
  bool m_descending, m_exact = false;
  double m_low = 0, m_scale = 1;
};

// Positions of the values in order; equal ones stay as they are.
std::vector<std::uint64_t> orderOf(const std::vector<double>& values, bool descending, std::size_t limit) {
  const SortKeys keys(values, descending);
  std::vector<std::uint64_t> packed;  // key and position
  packed.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) packed.push_back(std::uint64_t{keys.upper(i)} << 32 | i);
  constexpr std::size_t kFewShare = 4;
  if (keys.exact() && limit < packed.size() / kFewShare) {
    const auto end = packed.begin() + static_cast<std::ptrdiff_t>(limit);
    std::nth_element(packed.begin(), end, packed.end());
    packed.resize(limit);
    std::sort(packed.begin(), packed.end());
    return packed;
  }
  radixSort(packed);
  const auto byKey = [&](std::uint64_t a, std::uint64_t b) {
    return keys.full(a & 0xffffffffu) < keys.full(b & 0xffffffffu);
  };
  for (std::size_t begin = 0, end; !keys.exact() && begin < packed.size(); begin = end) {
    for (end = begin + 1; end < packed.size() && packed[end] >> 32 == packed[begin] >> 32;) ++end;
    if (end - begin > 1)
      std::stable_sort(packed.begin() + static_cast<std::ptrdiff_t>(begin),
                       packed.begin() + static_cast<std::ptrdiff_t>(end), byKey);
  }
  if (packed.size() > limit) packed.resize(limit);
  return packed;
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

double valueOf(const ImageColumns& images, ImageField field, std::size_t row) {
  switch (field) {
    case ImageField::Timestamp: return static_cast<double>(images.timestamp[row]);
    case ImageField::Frame: return images.frame[row];
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

Status sortBySubset(std::vector<ImageId>& images, const Bitmap& bits, const SortOrder& sort, std::size_t limit,
                    Evaluator& evaluator, const CancelToken& cancel) {
  const Index& index = evaluator.index();
  std::vector<double> terms, ranks;
  if (sort.byTerm) {
    ROADTUNE_TRY(terms, evaluator.termValues(sort.term, bits, cancel));
  } else if (!isColumn(sort.field)) {
    ranks = rankSegments(index, sort.field);
  }
  std::vector<double> values;
  const bool everything = sort.byTerm && images.size() == index.imageCount();
  if (everything) values = std::move(terms);
  values.reserve(images.size());
  std::size_t segment = 0;
  for (const ImageId image : images) {
    if (everything) break;
    while (image >= index.firstImage(segment + 1)) ++segment;
    values.push_back(sort.byTerm ? terms[image]
                     : !ranks.empty()
                         ? ranks[segment]
                         : valueOf(index.segment(segment).images(), sort.field, image - index.firstImage(segment)));
  }
  if (cancel.cancelled()) return cancelled();
  const std::vector<std::uint64_t> places = orderOf(values, sort.descending, limit);
  std::vector<ImageId> sorted;
  sorted.reserve(places.size());
  for (const std::uint64_t place : places) sorted.push_back(images[place & 0xffffffffu]);
  images.swap(sorted);
  return {};
}

Status sortImages(std::vector<ImageId>& images, const Bitmap& bits, const SortOrder& sort, std::size_t limit,
                  Evaluator& evaluator, const CancelToken& cancel) {
  constexpr std::size_t kSmallShare = 8;
  if (!evaluator.knowsOrder(sort) && images.size() < bits.size() / kSmallShare)
    return sortBySubset(images, bits, sort, limit, evaluator, cancel);
  ROADTUNE_TRY(const auto all, evaluator.order(sort, cancel));
  const std::size_t wanted = std::min(limit, images.size());
  images.clear();
  for (const ImageId image : *all) {
    if (images.size() == wanted) break;
    if (bits.test(image)) images.push_back(image);
  }
  return {};
}

}  // namespace roadtune::data
