// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_quality_print.h"
#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

namespace roadtune::cli {

namespace {

using Value = nlohmann::ordered_json;

double shareIn(std::size_t part, std::size_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

Value sizesJson(const data::LabelQuality& q) {
  Value sizes = Value::object();
  for (const data::SizeQuality& size : q.sizes) {
    Value below = Value::object(), survive = Value::object();
    for (std::size_t i = 0; i < size.below.size(); ++i)
      below[std::to_string(data::SizeQuality::kLimits[i])] = size.below[i];
    for (const auto& [name, entry] : size.perClass)
      survive[name] = {
          {"boxes", entry.boxes}, {"survive", entry.survive}, {"share", shareIn(entry.survive, entry.boxes)}};
    sizes[std::to_string(size.side)] = {{"below", below}, {"per_class", survive}};
  }
  return sizes;
}

Value balanceJson(const data::LabelQuality& q) {
  Value balance = Value::object();
  for (const auto& [field, values] : q.balance)
    for (const auto& [value, group] : values)
      balance[field][value] = {{"images", group.images},
                               {"labelled", group.labelled},
                               {"empty", group.empty},
                               {"boxes", group.boxes},
                               {"boxes_per_class", group.perClass}};
  return balance;
}

Value missingJson(const data::LabelQuality& q) {
  Value segments = Value::array();
  for (const data::MissingCamera& one : q.missingCameras)
    segments.push_back({{"segment", one.segment}, {"camera", one.camera}});
  return {{"frames", q.rigFrames}, {"frames_without", q.missingPerCamera}, {"segments_without", segments}};
}

Value stationaryJson(const data::StationaryFrames& still) {
  Value stretches = Value::array();
  for (const data::StationaryStretch& one : still.stretches)
    stretches.push_back({{"segment", one.segment},
                         {"first_timestamp_micros", one.first},
                         {"last_timestamp_micros", one.last},
                         {"frames", one.frames},
                         {"images", one.images}});
  return {{"frames_with_pose", still.framesWithPose},
          {"frames", still.frames},
          {"redundant_frames", still.redundantFrames},
          {"redundant_images", still.redundantImages},
          {"stretches", stretches}};
}

Value picturesJson(const data::Index& index, const data::NearDuplicates& same) {
  Value groups = Value::array();
  for (const auto& [first, size] : same.groups)
    groups.push_back({{"first", index.imageLabel(first)}, {"images", size}});
  return {{"images", same.images}, {"unreadable", same.unreadable}, {"redundant", same.redundant}, {"groups", groups}};
}

Value tokensJson(const data::TokenLengths& t) {
  Value bins = Value::array();
  for (const auto& bin : t.histogram) bins.push_back({{"up_to", bin.upTo}, {"samples", bin.samples}});
  Value value = {{"samples", t.samples}, {"measured", t.measured}, {"image_tokens", t.imageTokens},
                 {"mean", t.mean},       {"median", t.median},     {"p95", t.p95},
                 {"p99", t.p99},         {"longest", t.longest},   {"longest_sample", t.longestSample},
                 {"histogram", bins}};
  if (t.maxLength > 0) {
    value["max_length"] = t.maxLength;
    value["truncated"] = t.truncated;
    value["truncated_share"] = shareIn(t.truncated, t.measured);
    if (!t.cut.empty()) value["truncated_samples"] = t.cut;
  }
  return value;
}

}  // namespace

std::string qualityJson(const data::Index& index, const QualityReport& report) {
  const data::LabelQuality& q = report.labels;
  Value value = {{"images", q.images},
                 {"labelled", q.labelled},
                 {"unlabelled", q.unlabelled},
                 {"with_text", q.texts},
                 {"unlabelled_with_text", q.textsOnly},
                 {"empty", q.empty},
                 {"unavailable", q.unavailable},
                 {"boxes", q.boxes},
                 {"level_2", q.hard},
                 {"two_pixels_or_less", q.twoPixels},
                 {"touching_border", q.border},
                 {"touching_border_share", shareIn(q.border, q.measured)},
                 {"touching_border_per_class", q.borderPerClass},
                 {"model_sizes", sizesJson(q)},
                 {"balance", balanceJson(q)},
                 {"missing_cameras", missingJson(q)},
                 {"stationary", stationaryJson(report.stationary)},
                 {"near_duplicates", nullptr},
                 {"tokens", nullptr},
                 {"contains_waymo_data", index.containsWaymoData()}};
  if (report.duplicates) value["near_duplicates"] = picturesJson(index, *report.duplicates);
  if (report.tokens) value["tokens"] = tokensJson(*report.tokens);
  return jsonText(value) + "\n";
}

}  // namespace roadtune::cli
