// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <memory>
#include <utility>

namespace roadtune::data {

// A large array that starts with whatever lies there: the threads that fill it also share the cost of its memory's
// first touch, which for a vector one of them would pay alone.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::size_t size) : m_size(size), m_items(std::make_unique_for_overwrite<T[]>(size)) {}

  std::size_t size() const { return m_size; }
  void shrink(std::size_t size) { m_size = size < m_size ? size : m_size; }
  T& operator[](std::size_t i) { return m_items[i]; }
  const T& operator[](std::size_t i) const { return m_items[i]; }
  T* begin() { return m_items.get(); }
  T* end() { return m_items.get() + m_size; }
  const T* begin() const { return m_items.get(); }
  const T* end() const { return m_items.get() + m_size; }
  void swap(Scratch& other) {
    std::swap(m_size, other.m_size);
    m_items.swap(other.m_items);
  }

 private:
  std::size_t m_size;
  std::unique_ptr<T[]> m_items;
};

}  // namespace roadtune::data
