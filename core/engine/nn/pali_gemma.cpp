// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/pali_gemma.h"

#include "core/engine/attention/attention.h"
#include "core/engine/cuda/fused_embedding.h"
#include "core/engine/nn/block_gate.h"
#include "core/engine/nn/direct_gradient.h"
#include "core/engine/nn/neftune.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/packed_rows.h"
#include "core/engine/nn/recompute.h"

#include <ATen/ops/embedding.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/remainder.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace roadtune::engine {
namespace {

// Features in the places of image tokens. With known positions nothing has to be counted on the device.
at::Tensor withFeatures(const at::Tensor& embedded, const at::Tensor& isImage, const at::Tensor& positions,
                        const at::Tensor& features) {
  if (!positions.defined()) return embedded.masked_scatter(isImage.unsqueeze(-1), features);
  const auto width = embedded.size(-1);
  const auto flat = embedded.reshape({-1, width}).index_copy(0, positions, features.reshape({-1, width}));
  return flat.view(embedded.sizes());
}

}  // namespace

at::Tensor PaliGemma::tokenRows(const at::Tensor& ids, const ForwardContext& context) const {
  const auto& table = *m_embedding;
  const auto padding = m_config.padTokenId;
  m_tableGradient.reset();
  const bool gradients = c10::GradMode::is_enabled() && table.value.requires_grad();
  const auto* kernels = gradients || table.value.scalar_type() == at::kFloat ? cuda::kernelsFor(table.value) : nullptr;
  if (kernels) return cuda::embedded(*kernels, table.value, ids, padding, context.type, collects(table.value, context));
  if (!gradients) return at::embedding(table.value, ids, padding).to(context.type);  // the rows, not the whole table
  if (m_head != m_embedding || table.value.scalar_type() != context.type || table.computeType)
    return at::embedding(table.value, ids, padding).to(context.type);  // rows of one token add up in the table's type
  m_tableGradient = std::make_shared<TableGradient>();
  return lookUp(table.value, ids, padding, m_tableGradient, addsDirectly(table.value, context));
}

at::Tensor PaliGemma::embed(const Batch& batch, const ForwardContext& context, const PackedRows* packed) const {
  if (context.gate) context.gate->begin();
  const auto given = packed ? batch.inputIds.flatten().index_select(0, packed->places) : batch.inputIds;
  const auto isImage = given.eq(m_config.imageTokenId);
  const bool pictures = batch.features.defined() || batch.pixelValues.defined();
  const bool outside = m_config.imageTokenId >= m_config.text.vocab;
  // What pictures replace is looked up as padding, which gets no gradient: theirs would be a sum of many zeros.
  const auto inPlace = pictures ? std::max<std::int64_t>(m_config.padTokenId, 0) : 0;
  const auto ids = pictures || outside ? given.masked_fill(isImage, inPlace) : given;
  const double root = std::sqrt(static_cast<double>(m_config.text.hidden));
  const auto scale = at::scalar_tensor(root, m_embedding->value.options().dtype(context.type));
  auto embedded = tokenRows(ids, context);
  if (!context.numerics.foldImageScale) embedded = embedded * scale;
  if (context.training && context.neftuneAlpha > 0) {
    const auto noise = neftuneNoise(batch.inputIds.size(0), batch.inputIds.size(1), embedded, context);
    embedded = embedded + (packed ? packed->gathered(noise) : noise);
  }
  if (pictures) {
    const auto seen = batch.features.defined() ? batch.features : m_vision.forward(batch.pixelValues, context);
    auto features = m_projector->forward(seen, context);
    if (context.numerics.foldImageScale) features = features / root;
    embedded = withFeatures(embedded, isImage, batch.imagePositions, features.to(embedded.scalar_type()));
  }
  return context.numerics.foldImageScale ? embedded * scale : embedded;
}

at::Tensor PaliGemma::pictureFeatures(const at::Tensor& pixels, const ForwardContext& context) const {
  const c10::NoGradGuard noGrad;
  return m_vision.forward(pixels, context);
}

at::Tensor PaliGemma::hidden(const Batch& batch, const ForwardContext& given) const {
  auto context = given;
  const auto length = batch.inputIds.size(1);
  std::shared_ptr<PackedRows> packed;
  if (batch.places.defined())
    packed = std::make_shared<PackedRows>(PackedRows{batch.places, batch.inputIds.size(0), length, batch.prefixes});
  context.packed = packed;
  auto x = embed(batch, given, packed.get());
  const auto& text = m_config.text;
  const auto rope = ropeTable(context.numerics.firstPosition, length, text.headDim, text.ropeTheta, x.options());
  const bool rows = packed && takesRows(*packed, context.longestRectangle);
  const auto rowRope = rows ? rope.ofRows(at::remainder(batch.places, length)) : rope;
  const bool slides = windowSlides(text.slidingWindow, length, context.numerics);
  AttentionMasks masks;
  if (!rows || slides) {
    if (packed && cuda::kernelsFor(x)) packed->turnAround();
    const auto seen = batch.attentionMask.defined() ? batch.attentionMask : at::ones_like(batch.inputIds);
    masks = prefixMasks(seen, batch.tokenTypeIds, text.slidingWindow, context.numerics, context.type);
  }
  auto unit = m_vision.layers.size();
  for (const auto& layer : m_layers) {
    const bool unmasked = rows && !(layer.sliding && slides);
    const bool few =
        &layer == &m_layers.back() && batch.asked.defined() && (!unmasked || batch.asked.prefixes.defined());
    auto mask = unmasked ? at::Tensor() : layer.sliding ? masks.sliding : masks.full;
    if (few && mask.defined()) mask = batch.asked.ofMask(mask);
    x = recomputed(
        x, context, layer.trains(), ++unit,
        [&layer, rope = unmasked ? rowRope : rope, mask, asked = few ? std::optional(batch.asked) : std::nullopt](
            const at::Tensor& in, const ForwardContext& inside) {
          return layer.forward(in, rope, mask, inside, nullptr, asked ? &*asked : nullptr);
        });
  }
  if (batch.asked.defined() && x.size(0) != batch.asked.rows.size(0)) x = batch.asked.of(x);
  return m_finalNorm.forward(x);
}

at::Tensor PaliGemma::hiddenWithCache(const Batch& batch, const ForwardContext& context, KvCache& cache) const {
  const c10::NoGradGuard noGrad;
  cache.layers.resize(m_layers.size());
  auto x = embed(batch, context);
  const auto& text = m_config.text;
  const auto start = context.numerics.firstPosition + cache.length;
  const auto rope = ropeTable(start, x.size(1), text.headDim, text.ropeTheta, x.options());
  const bool first = cache.length == 0;
  auto masks = prefixMasks(batch.attentionMask, first ? batch.tokenTypeIds : at::Tensor(), text.slidingWindow,
                           context.numerics, context.type);
  const auto lastRows = [&](const at::Tensor& mask) { return mask.narrow(2, mask.size(2) - x.size(1), x.size(1)); };
  masks = {lastRows(masks.full), lastRows(masks.sliding)};
  for (std::size_t i = 0; i < m_layers.size(); ++i)
    x = recomputed(x, context, false, m_vision.layers.size() + 1 + i,
                   [&](const at::Tensor& in, const ForwardContext& inside) {
                     const auto& mask = m_layers[i].sliding ? masks.sliding : masks.full;
                     return m_layers[i].forward(in, rope, mask, inside, &cache.layers[i]);
                   });
  cache.length += x.size(1);
  return m_finalNorm.forward(x);
}

double PaliGemma::finalCap(const ForwardContext& context) const {
  return context.numerics.finalCap ? m_config.text.finalSoftcap.value_or(0.0) : 0.0;
}

at::Tensor PaliGemma::logits(const at::Tensor& hidden, const ForwardContext& context) const {
  const auto type = m_head->computeType.value_or(context.type);
  auto result = at::linear(hidden.to(type), m_head->as(type));
  if (const double cap = finalCap(context); cap > 0) result = at::tanh(result / cap) * cap;
  return result.to(at::kFloat);
}

LossResult PaliGemma::loss(const at::Tensor& hidden, const LabelRows& rows, const ForwardContext& context,
                           const at::Tensor& rowWeights) const {
  const auto type = m_head->computeType.value_or(context.type);
  const auto flat = flatRows(hidden).index_select(0, rows.positions).to(type);
  const bool wider = addsWider(*m_head, type, context);
  const auto table = wider ? m_head->value : m_head->as(type);
  const bool direct = wider || addsDirectly(table, context);
  // What is looked up in the table adds to its gradient later, in the backward pass.
  const bool anew = direct && rows.count() > 0 && m_head->replacesGradient();
  if (c10::GradMode::is_enabled()) m_head->renewGradient();
  return crossEntropy(flat, table, rows, finalCap(context), rowWeights, context.labelSmoothing, kLogitBytes,
                      m_tableGradient, direct, wider ? m_head->rounded : at::Tensor(), anew);
}

Linear* PaliGemma::linear(const std::string& path) const {
  const auto found = m_linears.find(path);
  return found == m_linears.end() ? nullptr : found->second.get();
}

}  // namespace roadtune::engine
