// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_quality_print.h"

#include "core/base/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::cli {

namespace {

constexpr std::size_t kShown = 5;  // lines of a list

std::string countText(std::size_t value) { return formatCount(static_cast<std::int64_t>(value)); }

std::string shareOf(std::size_t part, std::size_t whole) {
  return fmt::format("{:.1f} %", whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0);
}

std::string sizeLines(const data::LabelQuality& q) {
  std::string text = fmt::format("\nShorter side of the boxes once the picture is a square\n  {:<8}", "pixels");
  for (const int limit : data::SizeQuality::kLimits) text += fmt::format("{:>12}", fmt::format("below {}", limit));
  for (const data::SizeQuality& size : q.sizes) {
    text += fmt::format("\n  {:<8}", size.side);
    for (const std::size_t below : size.below) text += fmt::format("{:>12}", shareOf(below, q.measured));
  }
  text += "\n  survive (8 pixels or more):\n";
  for (const data::SizeQuality& size : q.sizes) {
    text += fmt::format("  {:<8}", size.side);
    for (const auto& [name, entry] : size.perClass)
      text += fmt::format("  {} {}", name, shareOf(entry.survive, entry.boxes));
    text += "\n";
  }
  return text;
}

std::string balanceLines(const data::LabelQuality& q) {
  std::string text = "\nBalance\n";
  for (const auto& [field, values] : q.balance) {
    if (values.size() == 1 && values.begin()->first == "unknown") continue;
    for (const auto& [value, group] : values) {
      text += fmt::format("  {:<10}{:<16}{:>10} images {:>9} empty", field, value, countText(group.images),
                          shareOf(group.empty, group.images));
      for (const auto& [name, boxes] : group.perClass) text += fmt::format("  {} {}", name, countText(boxes));
      text += "\n";
    }
  }
  return text;
}

std::string missingLines(const data::LabelQuality& q) {
  if (q.rigFrames == 0) return {};
  if (q.missingPerCamera.empty()) return "\nCameras     every frame has a picture of each camera\n";
  std::string text = "\nCameras without a picture\n";
  for (const auto& [camera, frames] : q.missingPerCamera)
    text += fmt::format("  {:<14}{} of {} frames\n", camera, countText(frames), countText(q.rigFrames));
  for (std::size_t i = 0; i < std::min(kShown, q.missingCameras.size()); ++i)
    text += fmt::format("  {} has no {}\n", q.missingCameras[i].segment, q.missingCameras[i].camera);
  if (q.missingCameras.size() > kShown) text += fmt::format("  and {} more\n", q.missingCameras.size() - kShown);
  return text;
}

std::string duplicateLines(const data::Index& index, const QualityReport& report) {
  std::string text = "\nNear-duplicates\n";
  const data::StationaryFrames& still = report.stationary;
  if (still.framesWithPose == 0) {
    text += "  poses       none in this index\n";
  } else {
    text += fmt::format("  poses       the vehicle stands in {} of {} frames; {} images add nothing new\n",
                        countText(still.frames), countText(still.framesWithPose), countText(still.redundantImages));
    for (std::size_t i = 0; i < std::min(kShown, still.stretches.size()); ++i) {
      const data::StationaryStretch& stretch = still.stretches[i];
      text += fmt::format("              {} {}-{}: {} frames\n", stretch.segment, stretch.first, stretch.last,
                          stretch.frames);
    }
  }
  if (!report.duplicates) return text + "  pictures    not compared (--pictures)\n";
  const data::NearDuplicates& same = *report.duplicates;
  text += fmt::format("  pictures    {} of {} look like another one ({} groups)\n", countText(same.redundant),
                      countText(same.images), countText(same.groups.size()));
  for (std::size_t i = 0; i < std::min(kShown, same.groups.size()); ++i)
    text +=
        fmt::format("              {}: {} pictures\n", index.imageLabel(same.groups[i].first), same.groups[i].second);
  return text;
}

std::string tokenLines(const data::TokenLengths& t) {
  std::string text = fmt::format("\nTokens of a sample ({} of {} samples, {} of them for the picture)\n",
                                 countText(t.measured), countText(t.samples), t.imageTokens);
  if (t.measured == 0) return text;
  text += fmt::format("  mean {:.1f}, median {}, 95 % {}, 99 % {}, longest {} ({})\n", t.mean, t.median, t.p95, t.p99,
                      t.longest, t.longestSample);
  std::size_t most = 1;
  for (const auto& bin : t.histogram) most = std::max(most, bin.samples);
  for (const auto& bin : t.histogram)
    text += fmt::format("  {:>6} {:>10}  {}\n", bin.upTo, countText(bin.samples),
                        std::string(40 * bin.samples / most, '#'));
  if (t.maxLength > 0)
    text += fmt::format("  {} samples ({}) are longer than {} and would be cut\n", countText(t.truncated),
                        shareOf(t.truncated, t.measured), t.maxLength);
  return text;
}

}  // namespace

std::string qualityText(const data::Index& index, const QualityReport& report) {
  const data::LabelQuality& q = report.labels;
  std::string text = fmt::format(
      "Images      {}: {} labelled ({} of them empty), {} not labelled, {} without a picture\n", countText(q.images),
      countText(q.labelled), countText(q.empty), countText(q.unlabelled), countText(q.unavailable));
  if (q.texts > 0)
    text += fmt::format("Texts       {} with a question or an answer, {} of them not labelled\n", countText(q.texts),
                        countText(q.textsOnly));
  text += fmt::format("Boxes       {}: {} LEVEL_2, {} touch the border, {} of two pixels or less\n", countText(q.boxes),
                      shareOf(q.hard, q.boxes), shareOf(q.border, q.measured), countText(q.twoPixels));
  text += sizeLines(q) + balanceLines(q) + missingLines(q) + duplicateLines(index, report);
  return report.tokens ? text + tokenLines(*report.tokens) : text;
}

}  // namespace roadtune::cli
