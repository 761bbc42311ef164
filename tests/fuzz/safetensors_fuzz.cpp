// SPDX-License-Identifier: GPL-3.0-or-later
// Weight files from strangers: a header is refused, or every tensor lies inside the file and has the bytes its shape
// needs.
#include "core/model/safetensors.h"
#include "tests/fuzz/fuzz_file.h"

using namespace roadtune;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(data, size);
  const auto opened = model::SafetensorsFile::open(file.path());
  if (!opened.ok()) return 0;
  unsigned sum = 0;
  for (const auto& tensor : opened.value()->tensors()) {
    fuzz::require(opened.value()->find(tensor.name) == &tensor);
    for (const std::uint8_t byte : tensor.bytes) sum += byte;  // the sanitizer watches where this reads
  }
  static volatile unsigned kept;
  kept = sum;
  return 0;
}
