// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace roadtune::model {

// Element types of the safetensors format, in the order in which its reference writer sorts them.
enum class Dtype { Bool, U8, I8, F8E5M2, F8E4M3, F8E8M0, I16, U16, F16, BF16, I32, U32, F32, C64, F64, I64, U64 };

std::size_t sizeOf(Dtype dtype);                             // bytes of one element
std::string_view nameOf(Dtype dtype);                        // as in a safetensors header: "BF16"
std::string_view torchName(Dtype dtype);                     // as in config.json: "bfloat16"
std::optional<Dtype> dtypeFromName(std::string_view name);   // "BF16"
std::optional<Dtype> dtypeFromTorch(std::string_view name);  // "bfloat16", "torch.bfloat16"
bool isFloating(Dtype dtype);

}  // namespace roadtune::model
