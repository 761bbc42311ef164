// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/dist/communicator.h"
#include "core/engine/dist/passing_tensor.h"

#include <vector>

namespace roadtune::engine {

// The frozen weights of one unit as plain bytes, cut into one equal piece per rank. They are gathered as they are
// stored (16-bit weights as 16 bits, NF4 codes and scales packed) and nothing ever travels back.
class FrozenSection {
 public:
  FrozenSection() = default;
  // The tensors keep their place and become views; they can be read while the section is gathered.
  FrozenSection(const std::vector<at::Tensor*>& members, Communicator& ranks);

  bool empty() const { return !m_bytes.exists(); }
  std::unique_ptr<Transfer> startGather();
  void release() { m_bytes.release(); }

 private:
  Communicator* m_ranks = nullptr;
  PassingTensor m_bytes;
  at::Tensor m_own;
};

}  // namespace roadtune::engine
