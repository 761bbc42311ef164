// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

using cudaStream_t = struct CUstream_st*;
