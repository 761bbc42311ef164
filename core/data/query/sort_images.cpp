// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/sort_images.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace roadtune::data {

namespace {

struct Keyed {
  std::uint64_t key;
  ImageId image;
};

constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();

// Unsigned numbers in the order of the doubles.
std::uint64_t orderedBits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  return bits >> 63 ? ~bits : bits | (1ull << 63);
}

std::uint64_t keyOf(double value, bool descending) {
  if (std::isnan(value)) return kLast;
  const std::uint64_t bits = orderedBits(value);
  return descending ? kLast - 1 - bits : bits;
}

// Stable, eleven bits at a time; digits that are equal in all keys cost one look.
void radixSort(std::vector<Keyed>& items) {
  constexpr int kBits = 11;
  constexpr std::size_t kBuckets = 1u << kBits;
  std::uint64_t any = 0, all = ~0ull;
  for (const Keyed& item : items) {
    any |= item.key;
    all &= item.key;
  }
  const std::uint64_t varying = any ^ all;
  std::vector<Keyed> other(items.size());
  for (int shift = 0; shift < 64; shift += kBits) {
    if (((varying >> shift) & (kBuckets - 1)) == 0) continue;
    std::array<std::size_t, kBuckets> start{};
    for (const Keyed& item : items) ++start[(item.key >> shift) & (kBuckets - 1)];
    std::size_t sum = 0;
    for (std::size_t& s : start) sum += std::exchange(s, sum);
    for (const Keyed& item : items) other[start[(item.key >> shift) & (kBuckets - 1)]++] = item;
    items.swap(other);
  }
}

void order(std::vector<Keyed>& items, std::size_t limit) {
  const auto before = [](const Keyed& a, const Keyed& b) { return a.key != b.key ? a.key < b.key : a.image < b.image; };
  if (limit < items.size() / 4) {
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(limit);
    std::nth_element(items.begin(), end, items.end(), before);
    items.resize(limit);
    std::sort(items.begin(), items.end(), before);
    return;
  }
  radixSort(items);
  if (items.size() > limit) items.resize(limit);
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

Status sortImages(std::vector<ImageId>& images, const SortOrder& sort, std::size_t limit, Evaluator& evaluator,
                  const CancelToken& cancel) {
  const Index& index = evaluator.index();
  std::vector<double> terms, ranks;
  if (sort.byTerm) {
    ROADTUNE_TRY(terms, evaluator.termValues(sort.term, cancel));
  } else if (!isColumn(sort.field)) {
    ranks = rankSegments(index, sort.field);
  }
  std::vector<Keyed> items;
  items.reserve(images.size());
  std::size_t segment = 0;
  for (const ImageId image : images) {
    while (image >= index.firstImage(segment + 1)) ++segment;
    const double value = sort.byTerm ? terms[image]
                         : !ranks.empty()
                             ? ranks[segment]
                             : valueOf(index.segment(segment).images(), sort.field, image - index.firstImage(segment));
    items.push_back({keyOf(value, sort.descending), image});
  }
  if (cancel.cancelled()) return cancelled();
  order(items, limit);
  images.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) images[i] = items[i].image;
  return {};
}

}  // namespace roadtune::data
