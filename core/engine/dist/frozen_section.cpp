// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/frozen_section.h"

#include "core/engine/nn/ops.h"

namespace roadtune::engine {
namespace {

constexpr std::int64_t kAlignment = 64;

std::int64_t aligned(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

FrozenSection::FrozenSection(const std::vector<at::Tensor*>& members, Communicator& ranks) : m_ranks(&ranks) {
  if (members.empty()) return;
  const c10::NoGradGuard noGrad;
  std::int64_t total = 0;
  for (const auto* member : members) total += aligned(static_cast<std::int64_t>(member->nbytes()));
  const auto piece = aligned((total + ranks.size() - 1) / ranks.size());
  m_bytes = PassingTensor(piece * ranks.size(), at::kByte, members.front()->device());
  std::int64_t offset = 0;
  for (auto* member : members) {
    const auto bytes = static_cast<std::int64_t>(member->nbytes());
    const auto place = m_bytes.view(offset, bytes);
    place.copy_(member->contiguous().flatten().view(at::kByte));
    *member = place.view(member->scalar_type()).view(member->sizes()).detach();
    offset += aligned(bytes);
  }
  m_own = m_bytes.raw().narrow(0, piece * ranks.rank(), piece).clone();
  m_bytes.release();
}

std::unique_ptr<Transfer> FrozenSection::startGather() {
  const c10::NoGradGuard noGrad;
  m_bytes.allocate();
  return m_ranks->startGather(m_bytes.raw(), m_own);
}

}  // namespace roadtune::engine
