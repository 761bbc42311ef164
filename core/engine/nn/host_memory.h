// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roadtune::engine {

// Every step needs the same tensors again: what is freed from now on stays with the process, except for the largest,
// and its pages need not be found and cleared anew in each step. Before there are tensors.
void keepFreedMemory();

// What loading has left behind goes back to the system.
void returnFreedMemory();

}  // namespace roadtune::engine
