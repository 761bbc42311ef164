// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <cstdint>
#include <string>

namespace roadtune::widgets {

// What core writes for people ("1,204", "5.8 GB", "2.5 s") with the marks of the window's language: "1.204", "5,8 GB".
// Not for what is typed or written into files.
QString numberText(const std::string& english);

QString countText(std::int64_t count);  // "1,204"

// A number with so many places behind the decimal mark of the window's language.
QString fixedText(double value, int places);

}  // namespace roadtune::widgets
