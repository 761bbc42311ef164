// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace roadtune::config {

// The page resources/docs/reference/configuration.md, from the schema.
std::string referenceMarkdown();

}  // namespace roadtune::config
