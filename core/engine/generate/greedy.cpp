// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/generate/greedy.h"

#include "core/engine/nn/ops.h"

#include <ATen/ops/ones_like.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <numeric>

namespace roadtune::engine {

double meanProbability(const Generated& generated, std::size_t first, std::size_t count) {
  const auto& all = generated.probabilities;
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(std::min(first, all.size()));
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(first + count, all.size()));
  return begin == end ? 0.0 : std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

std::vector<Generated> generateGreedily(const PaliGemma& network, const Batch& prompts, const ForwardContext& given,
                                        std::int64_t maxNewTokens, const std::function<bool()>& goesOn) {
  const c10::NoGradGuard noGrad;
  auto context = given;
  context.training = false;
  const auto rows = prompts.inputIds.size(0);
  const auto eos = network.config().eosTokenId;
  std::vector<Generated> results(static_cast<std::size_t>(rows));
  KvCache cache;
  Batch batch = prompts;
  if (!batch.attentionMask.defined()) batch.attentionMask = at::ones_like(batch.inputIds);
  const auto one = at::ones({rows, 1}, batch.attentionMask.options());
  for (std::int64_t step = 0; step < maxNewTokens; ++step) {
    if (step > 0 && goesOn && !goesOn()) return {};
    const auto hidden = network.hiddenWithCache(batch, context, cache);
    const auto last = hidden.select(1, hidden.size(1) - 1);
    const auto [likeliest, chosen] = at::softmax(network.logits(last, context), -1, at::kFloat).max(-1);
    const auto probability = likeliest.to(at::kCPU), next = chosen.to(at::kCPU);
    bool allEnded = true;
    for (std::int64_t row = 0; row < rows; ++row) {
      auto& result = results[static_cast<std::size_t>(row)];
      const auto id = next[row].item<std::int64_t>();
      result.ended = result.ended || id == eos;
      if (result.ended) continue;
      allEnded = false;
      result.ids.push_back(id);
      result.probabilities.push_back(probability[row].item<double>());
    }
    if (allEnded) break;
    batch.inputIds = chosen.unsqueeze(1);
    batch.attentionMask = at::cat({batch.attentionMask, one}, 1);
    batch.pixelValues = batch.features = batch.tokenTypeIds = batch.imagePositions = at::Tensor();
  }
  return results;
}

}  // namespace roadtune::engine
