// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/quality_report.h"

#include "app/studio/image_query.h"
#include "widgets/common/number_text.h"
#include "widgets/models/query_text.h"
#include "widgets/panels/data/facet_panel.h"
#include "widgets/panels/data/model_text.h"
#include "widgets/panels/data/quality_panel.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace roadtune::studio {
namespace {

using widgets::countText;

using nlohmann::json;
using widgets::QualityFigure;
using widgets::QualityPanel;
using widgets::QualityReport;

constexpr int kLeastPixels = int(widgets::kLeastModelSide);
constexpr std::size_t kMostSizes = 4;  // of pictures, in one query
constexpr int kMostRows = 6;

QString percent(double share) {
  return widgets::fixedText(100 * share, share > 0 && share < 0.0995 ? 1 : 0) + QStringLiteral(" %");
}

double shareOf(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::uint64_t number(const json& from, const char* key) { return from.value(key, std::uint64_t(0)); }

QString text(const json& from, const char* key) { return QString::fromStdString(from.value(key, std::string())); }

QualityFigure smallFigure(std::uint64_t lost, std::uint64_t boxes, const QString& query, const QString& className) {
  const double share = shareOf(double(lost), double(boxes));
  return {.label = {},
          .reading = percent(share),
          .query = lost > 0 ? query : QString(),
          .share = share,
          .className = className};
}

void readSizes(const json& from, const std::vector<PictureSize>& sizes, QualityReport& report) {
  std::map<int, json> sorted;  // 224 before 1024
  for (const auto& [side, entry] : from.items()) sorted[std::atoi(side.c_str())] = entry;
  std::map<std::string, widgets::QualitySizes> classes;
  widgets::QualitySizes all;
  for (const auto& [side, entry] : sorted) {
    report.modelSides << side;
    std::uint64_t boxes = 0, lost = 0;
    for (const auto& [name, one] : entry.at("per_class").items()) {
      const std::uint64_t own = number(one, "boxes"), gone = own - number(one, "survive");
      boxes += own;
      lost += gone;
      const QString className = QString::fromStdString(name);
      classes[name].className = className;
      classes[name].figures << smallFigure(gone, own, tooSmallQuery(sizes, className, side, kLeastPixels), className);
    }
    all.figures << smallFigure(lost, boxes, tooSmallQuery(sizes, {}, side, kLeastPixels), {});
  }
  report.sizes << all;
  for (auto& [name, one] : classes) report.sizes << one;
}

void readImages(const json& from, QualityReport& report) {
  const double all = double(number(from, "images"));
  const auto add = [&](const QString& label, std::uint64_t images, const char* query) {
    report.images << QualityFigure{.label = label,
                                   .reading = countText(images),
                                   .query = images > 0 ? QString::fromLatin1(query) : QString(),
                                   .share = shareOf(double(images), all)};
  };
  const std::uint64_t labelled = number(from, "labelled"), empty = number(from, "empty");
  add(QualityPanel::tr("With boxes"), labelled - empty, "labelled=true and n>=1");
  add(QualityPanel::tr("Labelled, nothing there"), empty, "labelled=true and n=0");
  const std::uint64_t texts = number(from, "with_text"), textsOnly = number(from, "unlabelled_with_text");
  if (texts > 0) add(QualityPanel::tr("With a question or an answer"), texts, "");
  add(QualityPanel::tr("Not labelled"), number(from, "unlabelled") - textsOnly, textsOnly > 0 ? "" : "labelled=false");
  add(QualityPanel::tr("Cannot be read"), number(from, "unavailable"), "");
}

widgets::QualityGroup groupOf(const std::string& field, const std::string& value, const json& from) {
  const QString name = QString::fromStdString(value);
  const bool camera = field == "camera";
  widgets::QualityGroup group;
  group.label = widgets::facetValueText(field, value);
  group.query = QString::fromStdString(field) + QLatin1Char('=') + widgets::queryValue(camera ? name.toLower() : name);
  group.images = number(from, "images");
  group.boxes = number(from, "boxes");
  for (const auto& [className, boxes] : from.at("boxes_per_class").items())
    group.parts.append({QString::fromStdString(className), boxes.get<std::uint64_t>()});
  return group;
}

void readBalance(const json& from, QualityReport& report) {
  for (const char* field : {"time", "location", "camera", "weather", "split"}) {
    const auto found = from.find(field);
    if (found == from.end() || (found->size() == 1 && found->contains("unknown"))) continue;
    widgets::QualityBalance balance;
    balance.field = QLatin1String(field);
    for (const auto& [value, entry] : found->items()) balance.groups << groupOf(field, value, entry);
    std::stable_sort(balance.groups.begin(), balance.groups.end(),
                     [](const auto& a, const auto& b) { return a.boxes > b.boxes; });
    report.balance << balance;
  }
}

void readStill(const json& from, QualityReport& report) {
  const std::uint64_t posed = number(from, "frames_with_pose"), frames = number(from, "frames");
  if (posed == 0) {
    report.stillText = QualityPanel::tr("Nothing says whether the vehicle moved.");
    return;
  }
  report.stillText = QualityPanel::tr("The vehicle stands in %1 of %2 frames; %3 images show nothing new.")
                         .arg(countText(frames), countText(posed), countText(number(from, "redundant_images")));
  for (const json& one : from.at("stretches")) {
    if (report.still.size() == kMostRows) break;
    const QString query = QStringLiteral("segment=%1 and timestamp>=%2 and timestamp<=%3")
                              .arg(widgets::queryValue(text(one, "segment")))
                              .arg(one.value("first_timestamp_micros", std::int64_t(0)))
                              .arg(one.value("last_timestamp_micros", std::int64_t(0)));
    report.still << QualityFigure{.label = text(one, "segment"),
                                  .reading = QualityPanel::tr("%1 frames").arg(countText(number(one, "frames"))),
                                  .query = query,
                                  .share = shareOf(double(number(one, "frames")), double(frames))};
  }
}

void readSame(const json& from, const data::Index& index, QualityReport& report) {
  report.compared = true;
  report.sameText = QualityPanel::tr("%1 of %2 pictures look like another one.")
                        .arg(countText(number(from, "redundant")), countText(number(from, "images")));
  for (const json& one : from.at("groups")) {
    if (report.same.size() == kMostRows) break;
    const QString first = text(one, "first");
    report.same << QualityFigure{.label = first,
                                 .reading = QualityPanel::tr("%1 alike").arg(countText(number(one, "images"))),
                                 .query = queryOfImages(index, imagesNamed(index, {first})),
                                 .share = 0};
  }
}

// Two of the measured stretches make one bar. A bar of lengths that are all cut leads to the images that are.
void readLengths(const json& from, QualityReport& report) {
  struct Bar {
    std::uint64_t upTo = 0, samples = 0;
  };
  std::vector<Bar> bars;
  std::uint64_t most = 1;
  for (std::size_t i = 0; i < from.at("histogram").size(); ++i) {
    const json& bin = from.at("histogram")[i];
    if (i % 2 == 0) bars.emplace_back();
    bars.back().upTo = number(bin, "up_to");
    bars.back().samples += number(bin, "samples");
    most = std::max(most, bars.back().samples);
  }
  const std::uint64_t limit = number(from, "max_length");
  std::uint64_t before = 0;  // the longest of the bar before
  for (const Bar& bar : bars) {
    const bool cut = limit > 0 && before >= limit;
    report.tokens.lengths << QualityFigure{
        .label = QualityPanel::tr("up to %1 tokens").arg(countText(bar.upTo)),
        .reading = countText(bar.samples),
        .query = cut && bar.samples > 0 ? QStringLiteral("tag:") + widgets::queryValue(cutTag(static_cast<int>(limit)))
                                        : QString(),
        .share = shareOf(double(bar.samples), double(most)),
        .warns = cut};
    before = bar.upTo;
  }
}

void readTokens(const json& from, const data::Index& index, QualityReport& report) {
  report.counted = true;
  const std::uint64_t measured = number(from, "measured");
  report.tokens.summary = QualityPanel::tr(
                              "Of %1 samples half have at most %2 tokens, 99 of 100 at most %3; %4 of "
                              "them are the picture's.")
                              .arg(countText(measured), countText(number(from, "median")),
                                   countText(number(from, "p99")), countText(number(from, "image_tokens")));
  if (const std::uint64_t most = number(from, "max_length"); most > 0) {
    const std::uint64_t cut = number(from, "truncated");
    const QString query = QStringLiteral("tag:") + widgets::queryValue(cutTag(static_cast<int>(most)));
    if (cut > 0)
      report.tokens.summary +=
          QualityPanel::tr(" Those that are cut carry the tag %1.").arg(cutTag(static_cast<int>(most)));
    report.tokens.cutTag = cutTag(static_cast<int>(most));
    for (const json& name : from.value("truncated_samples", json::array()))
      report.tokens.cut << QString::fromStdString(name.get<std::string>());
    report.tokens.figures << QualityFigure{.label = QualityPanel::tr("Cut after %1 tokens").arg(countText(most)),
                                           .reading = countText(cut),
                                           .query = cut > 0 ? query : QString(),
                                           .share = shareOf(double(cut), double(measured))};
  }
  readLengths(from, report);
  report.tokens.figures << QualityFigure{
      .label = QualityPanel::tr("The longest"),
      .reading = QualityPanel::tr("%1 tokens").arg(countText(number(from, "longest"))),
      .query = queryOfImages(index, imagesNamed(index, {text(from, "longest_sample")}))};
}

}  // namespace

QString cutTag(int maxLength) { return QStringLiteral("cut_%1").arg(maxLength); }

std::vector<PictureSize> pictureSizes(const data::Index& index) {
  std::map<std::pair<int, int>, std::size_t> counts;
  for (std::size_t s = 0; s < index.segmentCount(); ++s) {
    const auto& images = index.segment(s).images();
    for (std::size_t row = 0; row < images.size(); ++row)
      ++counts[{static_cast<int>(images.width[row]), static_cast<int>(images.height[row])}];
  }
  std::vector<PictureSize> sizes;
  for (const auto& [size, images] : counts) {
    if (size.first > 0 && size.second > 0) sizes.push_back({size.first, size.second, images});
  }
  std::stable_sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.images > b.images; });
  return sizes;
}

QString tooSmallQuery(const std::vector<PictureSize>& sizes, const QString& className, int side, int pixels) {
  QStringList terms;
  const QString what = className.isEmpty() ? QString() : widgets::queryValue(className) + QStringLiteral(", ");
  for (std::size_t i = 0; i < std::min(sizes.size(), kMostSizes); ++i) {
    const auto limit = [&](int whole) { return QString::number(double(whole) * pixels / side, 'f', 2); };
    const QString any = QStringLiteral("any(%1w<%2 or h<%3)").arg(what, limit(sizes[i].width), limit(sizes[i].height));
    terms
        << (sizes.size() == 1
                ? any
                : QStringLiteral("(width=%1 and height=%2 and %3)").arg(sizes[i].width).arg(sizes[i].height).arg(any));
  }
  return terms.join(QStringLiteral(" or "));
}

Result<widgets::QualityReportPtr> qualityReportOf(const QByteArray& printed, const data::Index& index,
                                                  const std::vector<PictureSize>& sizes) {
  const json from = json::parse(printed.begin(), printed.end(), nullptr, false);
  if (!from.is_object()) return failed("the measurement cannot be read");
  auto report = std::make_shared<QualityReport>();
  if (number(from, "boxes") > 0) readSizes(from.at("model_sizes"), sizes, *report);
  readImages(from, *report);
  readBalance(from.at("balance"), *report);
  if (number(from, "with_text") < number(from, "images")) readStill(from.at("stationary"), *report);
  if (from.at("near_duplicates").is_object()) readSame(from.at("near_duplicates"), index, *report);
  if (from.at("tokens").is_object()) readTokens(from.at("tokens"), index, *report);
  return widgets::QualityReportPtr(std::move(report));
}

}  // namespace roadtune::studio
