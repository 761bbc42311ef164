// SPDX-License-Identifier: GPL-3.0-or-later
// The torch wheel ships ProcessGroupGloo.hpp without the headers of gloo that it names. Only the declarations it needs
// to be compiled stand here; the definitions are inside libtorch_cpu.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
