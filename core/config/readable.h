// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/document.h"
#include "core/config/run_config.h"

#include <map>
#include <string>

namespace roadtune::config {

// What can be read of a text that may be wrong elsewhere: keys that are well-formed have their values, all others their
// defaults. For forms that go on showing while a user types; never for a run.
RunConfig readableConfig(const Document& document);

// What the text says where `config`, which was read of it, could make nothing of that: key and words.
std::map<std::string, std::string> unreadWords(const Document& document, const RunConfig& config);

// Whether the text is YAML at all: where it is not, nothing of it has a value.
bool isReadable(const Document& document);

}  // namespace roadtune::config
