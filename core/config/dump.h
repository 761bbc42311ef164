// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/schema.h"

#include <string>

namespace roadtune::config {

// One line of YAML for a value of this field; a lone data source without options is written as its path. "${" is
// escaped, so that the text reads back as it is.
std::string yamlOf(const Field& field, const Value& value);

// "key: value  # comment", padded so that comments of neighbours line up.
std::string yamlLine(const std::string& key, const std::string& yaml, const std::string& comment);

}  // namespace roadtune::config
