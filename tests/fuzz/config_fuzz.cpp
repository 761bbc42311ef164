// SPDX-License-Identifier: GPL-3.0-or-later
// Run files as people write them: problems have places, and a value that was set is there when the text is read again.
#include "core/config/document.h"
#include "core/config/resolve.h"
#include "tests/fuzz/fuzz_file.h"

using namespace roadtune;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4000) return 0;
  config::Document document(std::string(reinterpret_cast<const char*>(data), size), "/nowhere/run.yaml");
  const config::ResolveOptions editing{.purpose = config::Purpose::Editing};
  const auto before = config::resolve(document, editing);
  for (const auto& problem : before.problems) fuzz::require(!problem.message.empty());
  if (document.set("seed", config::Value(std::int64_t{7})).ok()) {
    fuzz::require(document.contains("seed"));
    const auto after = config::resolve(document, editing);
    if (after.config) fuzz::require(after.config->integer("seed") == 7);
  }
  return 0;
}
