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

std::vector<at::Tensor> fromOneProduct(const Layers& layers, const at::Tensor& x, const at::Tensor& input,
                                       const ForwardContext& context) {
  std::vector<at::Tensor> factors, results;
  std::vector<std::int64_t> ranks;
  for (const auto* layer : layers) {
    factors.push_back(layer->adapter()->a->as(input.scalar_type()));
    ranks.push_back(factors.back().size(0));
  }
  const auto inner = at::linear(input, at::cat(factors)).split_with_sizes(ranks, -1);
  for (std::size_t i = 0; i < layers.size(); ++i)
    results.push_back(layers[i]->adapter()->applyTo(inner[i], *layers[i], x, input, context));
  return results;
}

std::vector<at::Tensor> ofAdapters(const Layers& layers, const at::Tensor& x, const ForwardContext& context) {
  const auto input = x.to(layers.front()->adapter()->productType(*layers.front(), context));
  const bool direct = std::all_of(layers.begin(), layers.end(), [&](const Linear* layer) {
    return layer->adapter()->addsDirectly(*layer, input, context);
  });
  return direct ? addedDirectly(layers, input) : fromOneProduct(layers, x, input, context);
}

}  // namespace

std::vector<at::Tensor> forwardTogether(std::initializer_list<const Linear*> layers, const at::Tensor& x,
                                        const ForwardContext& context) {
  const auto first = std::find_if(layers.begin(), layers.end(), [&](const Linear* l) { return l->adapter(); });
  const auto type = first == layers.end() ? at::kFloat : (*first)->adapter()->productType(**first, context);
  Layers sharing;
  std::copy_if(layers.begin(), layers.end(), std::back_inserter(sharing),
               [&](const Linear* layer) { return shares(*layer, type, context); });
  if (sharing.size() < 2) sharing.clear();
  const auto shared = sharing.empty() ? std::vector<at::Tensor>() : ofAdapters(sharing, x, context);
  std::vector<at::Tensor> results;
  for (const auto* layer : layers) {
    const auto place = std::find(sharing.begin(), sharing.end(), layer) - sharing.begin();
    const auto index = static_cast<std::size_t>(place);
    results.push_back(index < shared.size() ? shared[index] : layer->forward(x, context));
  }
  return results;
}

}  // namespace roadtune::engine
