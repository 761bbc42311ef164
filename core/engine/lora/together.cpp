// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lora/together.h"

#include "core/engine/lora/adapter.h"
#include "core/engine/nn/direct_gradient.h"
#include "core/engine/nn/ops.h"

#include <algorithm>

namespace roadtune::engine {
namespace {

using Layers = std::vector<const Linear*>;

bool shares(const Linear& layer, at::ScalarType type, const ForwardContext& context) {
  const auto* adapter = layer.adapter();
  return adapter && !adapter->drops(context) && adapter->productType(layer, context) == type;
}

std::vector<at::Tensor> addedDirectly(const Layers& layers, const at::Tensor& x) {
  std::vector<DirectAdapter> adapters;
  for (const auto* layer : layers) {
    const auto& adapter = *layer->adapter();
    adapters.push_back({layer->weight()->value, layer->bias() ? layer->bias()->value : at::Tensor(), adapter.a->value,
                        adapter.b->value, adapter.scale});
  }
  return directLoras(x, adapters);
}

bool addDirectly(const Layers& layers, const at::Tensor& x, const ForwardContext& context) {
  return !layers.empty() && std::all_of(layers.begin(), layers.end(), [&](const Linear* layer) {
    return layer->adapter()->addsDirectly(*layer, x, context);
  });
}

// x Aᵀ of all these adapters: one product, cut into their columns.
struct Inner {
  Layers layers;
  at::Tensor input;
  Product product;  // of all A matrices
  std::vector<std::int64_t> ranks;

  Inner(const Layers& sharing, const at::Tensor& x, at::ScalarType type, const ForwardContext& context)
      : layers(sharing), input(x.to(type)) {
    if (layers.empty()) return;
    const bool direct = std::all_of(layers.begin(), layers.end(), [&](const Linear* layer) {
      return layer->adapter()->innerProduct(type, context).direct;
    });
    std::vector<at::Tensor> factors, values;
    for (const auto* layer : layers) {
      const auto& a = *layer->adapter()->a;
      factors.push_back(direct ? a.rounded : a.as(type));
      values.push_back(a.value);
      ranks.push_back(a.value.size(0));
    }
    const auto all = at::cat(factors);
    product =
        direct ? Product{values.front(), nullptr, {}, true, all, {values.begin() + 1, values.end()}} : Product{all};
  }
  bool has(const Linear* layer) const { return std::find(layers.begin(), layers.end(), layer) != layers.end(); }
};

// The layers' own products and, where types allow, that of the adapters take part in one sum of gradients for x.
std::vector<at::Tensor> inOneSum(const Layers& layers, const Inner& inner, const at::Tensor& x,
                                 const ForwardContext& context) {
  std::vector<Product> all;
  for (const auto* layer : layers)
    if (!layer->hasOwnType()) all.push_back(layer->product(context));
  const bool shared = !inner.layers.empty(), within = shared && inner.input.scalar_type() == context.type;
  if (within) all.push_back(inner.product);
  const auto made = products(x, all);
  std::vector<at::Tensor> columns, results;
  if (shared)
    columns = (within ? made.back() : products(inner.input, {inner.product})[0]).split_with_sizes(inner.ranks, -1);
  auto nextMade = made.begin();
  auto nextColumns = columns.begin();
  for (const auto* layer : layers) {
    const auto base = layer->hasOwnType() ? layer->base(x, context) : *nextMade++;
    if (inner.has(layer))
      results.push_back(layer->adapter()->added(base, *nextColumns++, *layer, inner.input, context));
    else
      results.push_back(layer->adapter() ? layer->adapter()->onto(base, *layer, x, context) : base);
  }
  return results;
}

}  // namespace

std::vector<at::Tensor> forwardTogether(std::initializer_list<const Linear*> given, const at::Tensor& x,
                                        const ForwardContext& context) {
  const Layers layers(given);
  const auto first = std::find_if(layers.begin(), layers.end(), [](const Linear* l) { return l->adapter(); });
  const auto type = first == layers.end() ? context.type : (*first)->adapter()->productType(**first, context);
  Layers sharing;
  std::copy_if(layers.begin(), layers.end(), std::back_inserter(sharing),
               [&](const Linear* layer) { return shares(*layer, type, context); });
  if (sharing.size() < 2) sharing.clear();
  const auto input = x.to(context.type);
  if (!addDirectly(sharing, input, context))
    return inOneSum(layers, Inner(sharing, input, type, context), input, context);
  const auto shared = addedDirectly(sharing, input);
  auto next = shared.begin();
  std::vector<at::Tensor> results;
  for (const auto* layer : layers)
    results.push_back(shares(*layer, type, context) ? *next++ : layer->forward(x, context));
  return results;
}

}  // namespace roadtune::engine
