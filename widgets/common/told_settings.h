// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <string>

namespace roadtune::widgets {

// What is wrong with a setting, and what to do: messages and hints of config::Problem in the window's language; see
// told_words.h.
QString settingProblemWords(const std::string& english);

}  // namespace roadtune::widgets
