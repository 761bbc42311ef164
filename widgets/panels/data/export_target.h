// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

namespace roadtune::widgets {

// Where exports go, so that none mixes with what lies there already. A target is a folder or a file; beside a file lie
// its parts for training and validation, and the folder of its pictures.

bool isExportTaken(const QString& out, bool folder);
QString freeExportName(const QString& out, bool folder);  // itself, else with -2, -3 ... at the end of its name

// A folder is replaced only when an export of this window made it and nothing was put there since; of a file's parts
// none may be a folder with pictures.
bool mayReplaceExport(const QString& out, bool folder);
QStringList filesOfExport(const QString& out);  // the file and its parts, whether they exist or not
void markExport(const QString& folder);         // as made by this window

}  // namespace roadtune::widgets
