// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/passing_tensor.h"

#include <ATen/ops/empty.h>
#include <c10/core/Allocator.h>

namespace roadtune::engine {

PassingTensor::PassingTensor(std::int64_t elements, at::ScalarType type, const at::Device& device)
    : m_whole(at::empty({elements}, at::TensorOptions().dtype(type).device(device))),
      m_raw(m_whole.variable_data()),
      m_bytes(m_whole.nbytes()),
      m_present(true) {}

void PassingTensor::allocate() {
  if (m_present) return;
  const auto& storage = m_whole.storage();
  storage.set_data_ptr_noswap(c10::GetAllocator(m_whole.device().type())->allocate(m_bytes));
  storage.set_nbytes(m_bytes);
  m_present = true;
}

void PassingTensor::release() {
  if (!m_present) return;
  const auto& storage = m_whole.storage();
  storage.set_data_ptr_noswap(at::DataPtr(nullptr, m_whole.device()));
  storage.set_nbytes(0);
  m_present = false;
}

}  // namespace roadtune::engine
