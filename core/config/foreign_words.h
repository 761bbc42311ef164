// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/foreign_defaults.h"
#include "core/config/problem.h"
#include "core/config/yaml_node.h"

#include <string>
#include <vector>

namespace roadtune::config {

// A file of another trainer with those of its words turned into ours for which an alias of a key is not enough: values
// that mean something there ("auto"), one key that several of ours stand for, and the other way round. Everything keeps
// its place in the file. What is lost on the way is noted.
YamlNode inOurWords(YamlNode root, FileKind kind, const std::string& where, std::vector<Problem>& notes);

}  // namespace roadtune::config
