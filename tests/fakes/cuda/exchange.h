// SPDX-License-Identifier: GPL-3.0-or-later
// How processes on this machine pass numbers between cards that are none.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fake_cuda {

struct Board;  // the memory that all ranks see

class Exchange {
 public:
  // Waits until all ranks have come to this name.
  Exchange(const std::string& name, int count, int rank);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Everybody shows as many bytes; take(offset, bytes, what each rank shows there) piece after piece. False: a rank
  // stays away.
  using Take = std::function<void(std::size_t offset, std::size_t bytes, const std::vector<const char*>& shown)>;
  bool all(const void* mine, std::size_t bytes, const Take& take);

  int count() const { return m_count; }
  int rank() const { return m_rank; }

 private:
  bool meet();
  char* shownBy(int rank) const;
  std::size_t size() const;

  std::string m_name;
  int m_count, m_rank;
  Board* m_board = nullptr;
};

}  // namespace fake_cuda
