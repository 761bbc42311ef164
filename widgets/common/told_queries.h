// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace roadtune::widgets {

// What is wrong with a query, in the window's language; see told_words.h.
QString queryErrorWords(const QString& english);

}  // namespace roadtune::widgets
