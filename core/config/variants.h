// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/document.h"
#include "core/config/resolve.h"

#include <string>
#include <vector>

namespace roadtune::config {

// One of several runs that differ in some settings.
struct Variant {
  std::vector<std::string> overrides;  // "learning_rate=1e-5"
  std::string name;                    // "learning_rate=1e-5_r=16", as a part of a folder's name
};

inline constexpr std::size_t kMostVariants = 200;

// Every combination of "key=value,value,..."; the last key changes fastest. Commas within brackets and quotes belong to
// a value.
Result<std::vector<Variant>> variantsOf(const std::vector<std::string>& varied);

// What makes each variant of a configuration a run of its own: `options.overrides`, its own, and a folder and a name
// that nothing else has, unless it is these that are varied.
Result<std::vector<std::vector<std::string>>> overridesOfVariants(const Document& document,
                                                                  const ResolveOptions& options,
                                                                  const std::vector<Variant>& variants);

}  // namespace roadtune::config
