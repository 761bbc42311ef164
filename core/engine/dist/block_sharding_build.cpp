// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a model into units, and the ranks into those that share and those that copy.
#include "core/engine/dist/block_sharding.h"
#include "core/engine/dist/replicas.h"
#include "core/model/narrow.h"

#include <map>
#include <tuple>
#include <utility>

namespace roadtune::engine {
namespace {

std::size_t unitOf(const ModelState& model, const model::Tensor& tensor) {
  const auto& module = model.tree.moduleOf(tensor);
  if (module.layer < 0) return 0;
  const auto below = module.part == model::Part::Vision ? 0 : model.tree.config.vision.layers;
  return 1 + static_cast<std::size_t>(below) + static_cast<std::size_t>(module.layer);
}

std::size_t unitCount(const ModelState& model) {
  return 1 + static_cast<std::size_t>(model.tree.config.vision.layers) +
         static_cast<std::size_t>(model.tree.config.text.layers);
}

void addPacked(std::vector<at::Tensor*>& members, Nf4Weight& weight) {
  members.push_back(&weight.codes);
  members.push_back(&weight.absmax);
  if (weight.doubleQuant) members.push_back(&weight.nestedAbsmax);
}

}  // namespace

BlockSharding::BlockSharding(ModelState& model, std::unique_ptr<Communicator> shards,
                             std::unique_ptr<Communicator> replicas, const DistributionOptions& options)
    : m_ranks(std::move(shards)),
      m_replicas(std::move(replicas)),
      m_weightDecay(options.weightDecay),
      m_releaseAfterForward(options.releaseAfterForward) {
  const auto count = unitCount(model);
  m_units.reserve(count);
  for (std::size_t i = 0; i < count; ++i) m_units.push_back(makeUnit(model, i, options));
  markGraph(model);
}

BlockSharding::Unit BlockSharding::makeUnit(ModelState& model, std::size_t index, const DistributionOptions& options) {
  std::map<std::tuple<bool, bool, bool>, std::vector<TrainedMember>> trained;  // travels, kept narrow; moments in bytes
  std::vector<at::Tensor*> frozen;
  Unit unit;
  auto small = options.small;
  small.halves = false;  // a share is whole, and travels in 16 bits
  for (const auto& tensor : model.tree.tensors) {
    if (unitOf(model, tensor) != index) continue;
    auto* parameter = model.parameters.find(tensor.name);
    if (parameter && (parameter->trainable || options.shardFrozen)) m_unitOf[parameter] = index;
    if (parameter && parameter->trainable) {
      const auto rule = updateRule(options.rates, model.tree, tensor, small);
      const bool narrow = rule.kept == Kept::Narrow;
      const bool inBlock = index > 0 && model::mayBeNarrow(model.tree.moduleOf(tensor), tensor);
      const bool thin = narrow || (options.computeType != at::kFloat && inBlock);
      trained[{thin, narrow, rule.momentsInBytes}].push_back({parameter, rule});
    } else if (parameter) {
      frozen.push_back(&parameter->value);
    } else if (const auto packed = model.quantised.find(tensor.name); packed != model.quantised.end()) {
      // A full checkpoint holds packed weights as they are: they stay on every rank.
      if (model.tree.method.type != model::FinetuningType::Full) addPacked(frozen, *packed->second);
    }
  }
  unit.trains = !trained.empty();
  for (auto& [kind, members] : trained)
    unit.trained.emplace_back(std::move(members), std::get<0>(kind) ? options.computeType : at::kFloat, *m_ranks);
  if (options.shardFrozen) unit.frozen = FrozenSection(frozen, *m_ranks);
  return unit;
}

// A block takes part in the backward pass when it, or something before it, trains.
void BlockSharding::markGraph(const ModelState& model) {
  bool beforeVision = false, beforeText = false;
  for (const auto& tensor : model.tree.tensors) {
    if (!tensor.trainable || unitOf(model, tensor) != 0) continue;
    const bool vision = model.tree.moduleOf(tensor).part == model::Part::Vision;
    beforeVision |= vision;
    beforeText = true;
  }
  const auto visionBlocks = static_cast<std::size_t>(model.tree.config.vision.layers);
  bool reached = beforeVision;
  for (std::size_t i = 1; i < m_units.size(); ++i) {
    if (i == visionBlocks + 1) reached |= beforeText;
    reached |= m_units[i].trains;
    m_units[i].inGraph = reached;
  }
  for (std::size_t i = m_units.size(); i-- > 1;)
    if (m_units[i].inGraph) m_backward.push_back(i);
}

Result<std::unique_ptr<Distribution>> distribute(ModelState& model, Communicator& ranks,
                                                 const DistributionOptions& options) {
  if (!options.shards || ranks.size() == 1)
    return std::unique_ptr<Distribution>(std::make_unique<Replicas>(model, ranks, options));
  if (options.replicas < 1 || ranks.size() % options.replicas != 0)
    return badInput("the ranks cannot be split into " + std::to_string(options.replicas) + " equal groups", "sharding",
                    "start the same number of ranks on every machine, or use sharding: sharded");
  const int size = ranks.size() / options.replicas, copy = ranks.rank() / size, place = ranks.rank() % size;
  auto shards = ranks.part("shards/" + std::to_string(copy), place, size);
  auto replicas = options.replicas == 1 ? Communicator::alone()
                                        : ranks.part("replicas/" + std::to_string(place), copy, options.replicas);
  return std::unique_ptr<Distribution>(
      std::make_unique<BlockSharding>(model, std::move(shards), std::move(replicas), options));
}

}  // namespace roadtune::engine
