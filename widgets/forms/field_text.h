// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/problem.h"
#include "core/config/schema.h"

#include <QString>

#include <optional>

namespace roadtune::widgets {

QString fieldTitle(const config::Field& field);                              // "Learning rate" for learning_rate
QString choiceTitle(const config::Field& field, const std::string& choice);  // "On disk" for disk
QString sectionWords(config::Section section);
QString schemaWords(const std::string& english);  // a sentence or unit of the schema, or of a preset
QString fieldHelp(const config::Field& field);    // its sentence, its name, its range: for a tool tip

// What a field without a default shows while nobody has set it: "required", or what then happens ("all", "off").
QString unsetText(const config::Field& field);

bool isMissing(const config::Problem& problem);       // a run cannot do without its setting
QString problemText(const config::Problem& problem);  // what is wrong, and what to try
QString fieldProblemText(config::Problem problem);    // the same beside a field, where there are no keys

// A value as a one-line editor shows it; nothing when it is too deep for one line (lists of maps).
std::optional<QString> editorText(const config::Value& value);
std::optional<QString> editorText(const config::Field& field, const config::Value& value);  // "30 %", no "-1 steps"

// A path below the home folder as people write it: "~/waymo". The configuration reads it so.
QString homeShortened(const QString& path);

// What was typed, as the value to write. What does not fit the type is kept as text: the check then says so at its
// place. An empty text is Null.
config::Value typedValue(const config::Field& field, const QString& text);

}  // namespace roadtune::widgets
