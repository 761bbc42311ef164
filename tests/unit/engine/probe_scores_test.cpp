// SPDX-License-Identifier: GPL-3.0-or-later
// The AP of evaluations during training.
#include "core/engine/loop/probe_scores.h"

#include "tests/unit/text/small_tokenizer.h"

#include <gtest/gtest.h>

namespace roadtune::engine {
namespace {

constexpr int kSide = 1000;

std::string vehicleAt(double corner) {
  return text::encodeBox({corner, corner, corner + 100, corner + 100}, kSide, kSide) + " vehicle";
}

// Each token less certain than the one before, and so is each box.
Generated said(const std::string& words) {
  Generated generated;
  generated.ids = testing::smallTokenizer().encode(words);
  for (std::size_t i = 0; i < generated.ids.size(); ++i)
    generated.probabilities.push_back(1.0 / static_cast<double>(i + 1));
  return generated;
}

// Two boxes where nothing single was labelled, then the vehicle. `shown`: side of the picture as the model reads it.
double apWith(const std::vector<text::LabelledBox>& crowds, int shown = kSide) {
  data::Sample sample;
  sample.prefix = "detect vehicle";
  sample.suffix = vehicleAt(100);
  sample.width = sample.height = kSide;
  sample.crowds = crowds;
  EncodedSample encoded;
  encoded.width = encoded.height = shown;
  ProbeScorer scorer;
  scorer.add(sample, encoded, said(vehicleAt(610) + " ; " + vehicleAt(700) + " ; " + vehicleAt(100)),
             testing::smallTokenizer());
  return scorer.scores().ap.value_or(-1);
}

TEST(ProbeScores, WhatIsFoundInACrowdIsNoMistake) {
  constexpr double kNear = 1e-9;
  const text::LocBox crowd{600, 600, 1000, 1000};
  EXPECT_NEAR(apWith({}), 1.0 / 3, kNear);
  EXPECT_NEAR(apWith({{crowd, "vehicle"}}), 1, kNear);
  EXPECT_NEAR(apWith({{crowd, "cyclist"}}), 1.0 / 3, kNear) << "a crowd is one of its class";
  EXPECT_NEAR(apWith({{crowd, "vehicle"}}, kSide / 2), 1, kNear) << "it shrinks with the picture";
}

// What is said is what is written: only with the divisor of the encoding are the two the same box.
TEST(ProbeScores, LocationsAreReadAsConfigured) {
  const auto ap = [](text::LocDecoding decoding) {
    data::Sample sample;
    sample.prefix = "detect vehicle";
    sample.suffix = text::encodeBox({980, 980, 1000, 1000}, kSide, kSide) + " vehicle";
    sample.width = sample.height = kSide;
    EncodedSample encoded;
    encoded.width = encoded.height = kSide;
    ProbeScorer scorer(decoding);
    scorer.add(sample, encoded, said(sample.suffix), testing::smallTokenizer());
    return scorer.scores().ap.value_or(-1);
  };
  EXPECT_NEAR(ap(text::LocDecoding::Over1023), 1, 1e-9);
  EXPECT_LT(ap(text::LocDecoding::Over1024), 0.95) << "a pixel of twenty is off";
}

}  // namespace
}  // namespace roadtune::engine
