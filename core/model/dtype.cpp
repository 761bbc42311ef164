// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/dtype.h"

#include "core/base/text.h"

#include <array>

namespace roadtune::model {
namespace {

struct DtypeWords {
  Dtype dtype;
  std::string_view file;
  std::string_view torch;
  std::size_t size;
};

constexpr std::array<DtypeWords, 17> kDtypes{{
    {Dtype::Bool, "BOOL", "bool", 1},
    {Dtype::U8, "U8", "uint8", 1},
    {Dtype::I8, "I8", "int8", 1},
    {Dtype::F8E5M2, "F8_E5M2", "float8_e5m2", 1},
    {Dtype::F8E4M3, "F8_E4M3", "float8_e4m3fn", 1},
    {Dtype::F8E8M0, "F8_E8M0", "float8_e8m0fnu", 1},
    {Dtype::I16, "I16", "int16", 2},
    {Dtype::U16, "U16", "uint16", 2},
    {Dtype::F16, "F16", "float16", 2},
    {Dtype::BF16, "BF16", "bfloat16", 2},
    {Dtype::I32, "I32", "int32", 4},
    {Dtype::U32, "U32", "uint32", 4},
    {Dtype::F32, "F32", "float32", 4},
    {Dtype::C64, "C64", "complex64", 8},
    {Dtype::F64, "F64", "float64", 8},
    {Dtype::I64, "I64", "int64", 8},
    {Dtype::U64, "U64", "uint64", 8},
}};

const DtypeWords& wordsOf(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)]; }

}  // namespace

std::size_t sizeOf(Dtype dtype) { return wordsOf(dtype).size; }
std::string_view nameOf(Dtype dtype) { return wordsOf(dtype).file; }
std::string_view torchName(Dtype dtype) { return wordsOf(dtype).torch; }

std::optional<Dtype> dtypeFromName(std::string_view name) {
  for (const auto& words : kDtypes)
    if (words.file == name) return words.dtype;
  return std::nullopt;
}

std::optional<Dtype> dtypeFromTorch(std::string_view name) {
  if (startsWith(name, "torch.")) name.remove_prefix(6);
  if (name == "half" || name == "fp16") return Dtype::F16;
  if (name == "bf16") return Dtype::BF16;
  if (name == "float" || name == "fp32") return Dtype::F32;
  if (name == "double") return Dtype::F64;
  for (const auto& words : kDtypes)
    if (words.torch == name) return words.dtype;
  return std::nullopt;
}

bool isFloating(Dtype dtype) {
  switch (dtype) {
    case Dtype::F8E4M3:
    case Dtype::F8E5M2:
    case Dtype::F8E8M0:
    case Dtype::F16:
    case Dtype::BF16:
    case Dtype::F32:
    case Dtype::F64: return true;
    default: return false;
  }
}

}  // namespace roadtune::model
