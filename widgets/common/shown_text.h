// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace roadtune::widgets {

// Names of files, runs and tags hold what they like. These show them as they are.
QString tipText(const QString& text);     // for a tool tip, which would take "<b>" for bold
QString buttonText(const QString& text);  // for a button or a menu, which would take "&" for a key
QString lineText(const QString& text);    // for one line: a name may even hold line breaks
QString sentence(const QString& words);  // begun with a capital, unless it begins with a name: "max_steps is too small"
QString foldedText(const QString& text);  // for a wrapped label: long names may be broken, too

}  // namespace roadtune::widgets
