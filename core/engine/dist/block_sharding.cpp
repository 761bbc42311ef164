// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/block_sharding.h"

#include "core/engine/nn/ops.h"

#include <cmath>

namespace roadtune::engine {

// Weights coming and going.

void BlockSharding::fetch(Unit& unit) {
  if (unit.whole || !unit.fetching.empty()) return;
  if (!unit.frozen.empty()) unit.fetching.push_back(unit.frozen.startGather());
  for (auto& section : unit.trained) unit.fetching.push_back(section.startGather());
}

void BlockSharding::await(Unit& unit) {
  fetch(unit);
  for (const auto& transfer : unit.fetching) transfer->wait();
  unit.fetching.clear();
  unit.whole = true;
}

void BlockSharding::release(Unit& unit) {
  if (!unit.fetching.empty()) await(unit);
  unit.frozen.release();
  for (auto& section : unit.trained) section.release();
  unit.whole = false;
}

// The forward pass.

void BlockSharding::begin() {
  if (m_phase == Phase::Forward) finishForward();
  beginForward(c10::GradMode::is_enabled());
}

void BlockSharding::beginForward(bool trains) {
  m_phase = Phase::Forward;
  m_trains = trains;
  await(m_units[0]);
  m_next = 1;
  if (m_next < m_units.size()) fetch(m_units[m_next]);
}

void BlockSharding::enter(std::size_t unit) {
  if (m_phase == Phase::Backward)
    backwardTo(unit);
  else
    forwardTo(unit);
}

void BlockSharding::forwardTo(std::size_t unit) {
  for (; m_next <= unit; ++m_next) {
    await(m_units[m_next]);
    if (m_next + 1 < m_units.size()) fetch(m_units[m_next + 1]);
    if (m_next < unit) leave(m_next);
  }
}

void BlockSharding::leave(std::size_t unit) {
  if (m_phase != Phase::Forward) return;
  const bool comesBack = m_trains && m_units[unit].inGraph;
  const bool last = unit + 1 == m_units.size();
  if (comesBack && (last || !m_releaseAfterForward)) return;
  release(m_units[unit]);
}

void BlockSharding::finishForward() {
  const auto last = m_units.size() - 1;
  if (m_next > last) return;
  forwardTo(last);
  leave(last);
}

void BlockSharding::endForward() {
  if (m_phase != Phase::Forward) return;
  finishForward();
  release(m_units[0]);
  m_phase = Phase::Idle;
}

// The backward pass.

void BlockSharding::beginBackward(bool) {
  finishForward();
  m_phase = Phase::Backward;
  m_opened = 0;
  for (auto& section : m_units[0].trained) section.openGradients();
}

void BlockSharding::backwardTo(std::size_t unit) {
  if (!m_units[unit].inGraph) return;
  while (m_opened == 0 || m_backward[m_opened - 1] != unit) {
    TORCH_CHECK(m_opened < m_backward.size(), "unit ", unit, " is used after its gradients were sent");
    if (m_opened > 0) close(m_backward[m_opened - 1]);
    open(m_backward[m_opened++]);
  }
}

void BlockSharding::open(std::size_t unit) {
  await(m_units[unit]);
  if (m_opened + 1 < m_backward.size()) fetch(m_units[m_backward[m_opened + 1]]);
  for (auto& section : m_units[unit].trained) section.openGradients();
}

void BlockSharding::close(std::size_t unit) {
  release(m_units[unit]);
  if (m_units[unit].trains) reduce(unit);
}

// One at a time: more would keep more gradients in memory than blocks in work.
void BlockSharding::reduce(std::size_t unit) {
  finishReduces();
  for (auto& section : m_units[unit].trained) section.startReduce();
  m_reducing = unit;
  m_reduceUnderWay = true;
}

void BlockSharding::finishReduces() {
  if (!m_reduceUnderWay) return;
  for (auto& section : m_units[m_reducing].trained) section.finishReduce();
  m_reduceUnderWay = false;
}

void BlockSharding::endBackward() {
  while (m_opened < m_backward.size()) {
    if (m_opened > 0) close(m_backward[m_opened - 1]);
    open(m_backward[m_opened++]);
  }
  if (m_opened > 0) close(m_backward[m_opened - 1]);
  if (m_units[0].trains) reduce(0);
  finishReduces();
  release(m_units[0]);
  m_phase = Phase::Idle;
}

void BlockSharding::idlePass(bool trains) {
  beginForward(trains);
  if (!trains) return endForward();
  beginBackward(true);
  endBackward();
}

void BlockSharding::endStep() {
  if (m_replicas->size() == 1) return;
  for (auto& unit : m_units)
    for (auto& section : unit.trained) m_replicas->sum(section.gradients());
}

// Seen from the optimizer and the checkpoints.

std::vector<FlatGroup> BlockSharding::groups() {
  std::vector<FlatGroup> groups;
  for (const auto& unit : m_units)
    for (const auto& section : unit.trained)
      for (auto& group : section.groups(m_weightDecay)) groups.push_back(std::move(group));
  return groups;
}

at::Tensor BlockSharding::gradientSquares(const AdamW& optimizer, const at::Device& device) {
  auto squares = optimizer.gradientSquares(device);
  m_ranks->startSum(squares)->wait();
  return squares;
}

void BlockSharding::eachTrained(const AdamW&, TrainedValues what, const Take& take) {
  for (const auto& unit : m_units)
    for (const auto& section : unit.trained) section.collect(what, take);
}

at::Tensor BlockSharding::whole(const Parameter& parameter) {
  const auto found = m_unitOf.find(&parameter);
  if (found == m_unitOf.end()) return parameter.value;  // every rank has it
  const auto index = found->second;
  auto& unit = m_units[index];
  if (!parameter.trainable) {
    if (!unit.whole && m_exactUnit && *m_exactUnit != index) release(m_units[*m_exactUnit]);
    m_exactUnit = index;
    await(unit);
    return parameter.value;
  }
  auto& exact = index == 0 ? m_exactEnds : m_exactBlock;
  if (!exact.contains(&parameter)) {
    exact.clear();
    for (const auto& section : unit.trained)
      section.collect(TrainedValues::Weights, [&](const Parameter& p, const at::Tensor& value) { exact[&p] = value; });
  }
  return exact.at(&parameter);
}

void BlockSharding::forgetWhole() {
  m_exactEnds.clear();
  m_exactBlock.clear();
  if (m_exactUnit) release(m_units[*m_exactUnit]);
  m_exactUnit.reset();
}

}  // namespace roadtune::engine
