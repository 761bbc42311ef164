// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace roadtune::config {

// The page resources/docs/reference/configuration.md, from the schema.
std::string referenceMarkdown();

// Every sentence and unit of the schema and of the presets that a window shows: what there is to translate.
std::vector<std::string> schemaSentences();

}  // namespace roadtune::config
