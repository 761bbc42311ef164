// SPDX-License-Identifier: GPL-3.0-or-later
// What goes through a stream of its own happens as late as it may: when somebody waits for it. What was written or read
// without waiting then has other numbers.
#pragma once

#include <cstddef>
#include <driver_types.h>
#include <functional>

namespace fake_cuda {

// At once in the stream of all kernels. False ends the process: a peer stayed away.
void later(cudaStream_t stream, std::function<bool()> work);

std::size_t asked(cudaStream_t stream);                  // so many pieces of work so far
bool happened(cudaStream_t stream, std::size_t pieces);  // the first so many?
void complete(cudaStream_t stream, std::size_t pieces);  // so that they have
void complete(cudaStream_t stream);
void completeAll();

}  // namespace fake_cuda
