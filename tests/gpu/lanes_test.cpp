// SPDX-License-Identifier: GPL-3.0-or-later
// The row algorithms with several lanes that meet at barriers, as a block of a GPU runs them: whatever the number of
// lanes and the width of a load, the result is that of one lane.
#include "core/engine/cuda/rows/nf4_rows.h"
#include "core/engine/cuda/rows/norm_rows.h"
#include "core/engine/cuda/rows/softmax_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

namespace roadtune::engine::cuda {
namespace {

constexpr int kLanes = 8;

struct Meeting {
  std::barrier<> barrier{kLanes};
  float values[kLanes] = {};
};

class ThreadLanes {
 public:
  ThreadLanes(Meeting& meeting, int lane) : m_meeting(meeting), m_lane(lane) {}
  int lane() const { return m_lane; }
  int size() const { return kLanes; }
  float sum(float value) const {
    return met(value, [](float a, float b) { return a + b; });
  }
  float highest(float value) const {
    return met(value, [](float a, float b) { return std::max(a, b); });
  }

 private:
  template <class Join>
  float met(float value, Join join) const {
    m_meeting.barrier.arrive_and_wait();  // what an earlier call left has been read
    m_meeting.values[m_lane] = value;
    m_meeting.barrier.arrive_and_wait();
    float result = m_meeting.values[0];
    for (int i = 1; i < kLanes; ++i) result = join(result, m_meeting.values[i]);
    return result;
  }

  Meeting& m_meeting;
  int m_lane;
};

template <class Work>
void together(Work&& work) {
  Meeting meeting;
  std::vector<std::thread> threads;
  for (int lane = 0; lane < kLanes; ++lane)
    threads.emplace_back([&meeting, &work, lane] { work(ThreadLanes(meeting, lane)); });
  for (auto& thread : threads) thread.join();
}

using Floats = std::vector<float>;

Floats random(std::size_t count, float spread = 1) {
  static std::mt19937 generator(3);
  std::normal_distribution<float> normal(0, spread);
  Floats values(count);
  for (auto& value : values) value = normal(generator);
  return values;
}

void expectClose(const Floats& a, const Floats& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-5f * std::max(1.0f, std::fabs(b[i]))) << i;
}

TEST(Lanes, ShareARowOfANorm) {
  constexpr std::int64_t kWidth = 4 * 21;  // the last round is not full
  const auto x = random(kWidth), delta = random(kWidth), gain = random(kWidth), gradient = random(kWidth);
  const auto run = [&](auto&& each, Floats& y, Floats& sum, Floats& back) {
    y.assign(kWidth, 0);
    sum.assign(kWidth, 0);
    back.assign(kWidth, 0);
    float inverse = 0;
    const RmsNormArgs forward{Element::Float, x.data(), delta.data(), gain.data(), y.data(), sum.data(),
                              &inverse,       1,        kWidth,       1e-6f};
    each([&](const auto& group) { rmsNormRow<4, float>(forward, 0, group); });
    const RmsNormGradientArgs backward{Element::Float, gradient.data(), sum.data(), delta.data(), gain.data(),
                                       &inverse,       back.data(),     1,          kWidth};
    each([&](const auto& group) { rmsNormGradientRow<4, float>(backward, 0, group); });
  };
  Floats y, sum, back, oneY, oneSum, oneBack;
  run([](auto&& work) { together(work); }, y, sum, back);
  run([](auto&& work) { work(OneLane{}); }, oneY, oneSum, oneBack);
  expectClose(y, oneY);
  expectClose(sum, oneSum);
  expectClose(back, oneBack);
}

TEST(Lanes, ShareARowOfLogitsThatTheyOverwrite) {
  constexpr std::int64_t kVocabulary = 4 * 33;
  const auto logits = random(kVocabulary, 5);
  const std::int64_t target = 77;
  const float weight = 0.5f;
  const auto run = [&](auto&& each) {
    Floats row = logits;
    row.push_back(0);  // the loss
    const CrossEntropyArgs args{Element::Float, row.data(), &target, &weight, &row[kVocabulary], 1,
                                kVocabulary,    9.0f,       0.1f,    true};
    each([&](const auto& group) { crossEntropyRow<4, float>(args, 0, group); });
    return row;
  };
  expectClose(run([](auto&& work) { together(work); }), run([](auto&& work) { work(OneLane{}); }));
}

TEST(Lanes, ShareARowOfScores) {
  constexpr std::int64_t kKeys = 37;
  const auto scores = random(kKeys, 4), gradient = random(kKeys);
  Floats mask(kKeys, 0);
  for (std::size_t i = 0; i < 11; ++i) mask[i] = -3.39e38f;  // more than one lane sees nothing but the masked
  const auto run = [&](auto&& each) {
    Floats out(kKeys), logSum(1), back(kKeys);
    ProbabilityArgs forward{};
    forward.scores = scores.data();
    forward.mask = mask.data();
    forward.out = out.data();
    forward.logSum = logSum.data();
    forward.batch = forward.heads = forward.queries = 1;
    forward.keys = kKeys;
    forward.scale = 0.5f;
    forward.cap = 2.0f;
    each([&](const auto& group) { probabilityRow<float>(forward, 0, group); });
    ScoreGradientArgs backward{};
    backward.scores = scores.data();
    backward.mask = mask.data();
    backward.gradient = gradient.data();
    backward.logSum = logSum.data();
    backward.out = back.data();
    backward.batch = backward.heads = backward.queries = 1;
    backward.keys = kKeys;
    backward.scale = 0.5f;
    backward.cap = 2.0f;
    each([&](const auto& group) { scoreGradientRow<float>(backward, 0, group); });
    out.insert(out.end(), back.begin(), back.end());
    return out;
  };
  const auto many = run([](auto&& work) { together(work); });
  expectClose(many, run([](auto&& work) { work(OneLane{}); }));
  float total = 0;
  for (std::size_t i = 0; i < kKeys; ++i) total += many[i];
  EXPECT_NEAR(total, 1.0f, 1e-5f);
}

TEST(Lanes, ShareABlockOfFourBitCodes) {
  const auto values = random(64 + 9);
  const auto run = [&](auto&& each) {
    std::vector<std::uint8_t> codes(37);
    Floats scales(2);
    const Nf4QuantiseArgs args{values.data(), codes.data(), scales.data(), 73};
    for (std::int64_t block = 0; block < 2; ++block)
      each([&](const auto& group) { nf4QuantiseBlock(args, block, group); });
    return std::pair(codes, scales);
  };
  EXPECT_EQ(run([](auto&& work) { together(work); }), run([](auto&& work) { work(OneLane{}); }));
}

TEST(Bf16Bits, RoundToNearestEvenAndKeepWhatIsNotANumber) {
  EXPECT_EQ(roundedBf16(1.0f).bits, 0x3f80);
  EXPECT_EQ(roundedBf16(1.00390625f).bits, 0x3f80);  // halfway, even below
  EXPECT_EQ(roundedBf16(1.01171875f).bits, 0x3f82);  // halfway, even above
  EXPECT_EQ(roundedBf16(INFINITY).bits, 0x7f80);
  EXPECT_TRUE(std::isnan(wide(roundedBf16(NAN))));
  EXPECT_EQ(wide(roundedBf16(-3.0f)), -3.0f);
}

TEST(Lanes, ShareAColumnOfAProductWithPackedWeights) {
  constexpr std::int64_t kWidth = 192, kRows = 3, kColumns = 2;
  const auto weight = random(kWidth * kColumns), x = random(kWidth * kRows);
  std::vector<std::uint8_t> codes(weight.size() / 2 + 16);
  Floats scales(weight.size() / 64);
  const Nf4QuantiseArgs pack{weight.data(), codes.data(), scales.data(), static_cast<std::int64_t>(weight.size())};
  for (std::int64_t block = 0; block < static_cast<std::int64_t>(scales.size()); ++block)
    nf4QuantiseBlock(pack, block, OneLane{});
  const auto run = [&](auto&& each) {
    Floats out(kRows * kColumns, 0);
    Nf4ProductArgs args{};
    args.weight.type = args.weight.stored = Element::Float;
    args.weight.codes = codes.data();
    args.weight.scales = scales.data();
    args.x = x.data();
    args.out = out.data();
    args.rows = kRows;
    args.width = kWidth;
    args.columns = kColumns;
    for (std::int64_t column = 0; column < kColumns; ++column) {
      each([&](const auto& group) { nf4ProductColumn<2, float>(args, kNf4Values, column, 0, group); });
      each([&](const auto& group) { nf4ProductColumn<2, float>(args, kNf4Values, column, 2, group); });
    }
    return out;
  };
  expectClose(run([](auto&& work) { together(work); }), run([](auto&& work) { work(OneLane{}); }));
}

}  // namespace
}  // namespace roadtune::engine::cuda
