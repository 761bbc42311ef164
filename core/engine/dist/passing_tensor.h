// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

namespace roadtune::engine {

// A flat tensor whose memory comes and goes while views into it, those that autograd keeps included, stay valid and
// see the new memory. Reading a view while there is no memory is a mistake of ours and ends in a crash.
class PassingTensor {
 public:
  PassingTensor() = default;
  PassingTensor(std::int64_t elements, at::ScalarType type, const at::Device& device);  // memory not initialised

  bool exists() const { return m_whole.defined(); }
  bool present() const { return m_present; }
  void allocate();  // not initialised
  void release();

  // A part, in any type and shape that fits its bytes; offsets in elements. Writes through raw() do not count as
  // changes of it to autograd.
  at::Tensor view(std::int64_t offset, std::int64_t count) const { return m_whole.narrow(0, offset, count); }
  const at::Tensor& raw() const { return m_raw; }

 private:
  at::Tensor m_whole, m_raw;
  std::size_t m_bytes = 0;
  bool m_present = false;
};

}  // namespace roadtune::engine
