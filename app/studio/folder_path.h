// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDir>
#include <QFileInfo>
#include <QString>

namespace roadtune::studio {

// As much of a path as there is by now.
inline QString existingPart(QString path) {
  while (!QFileInfo::exists(path) && path.size() > 1) path = QFileInfo(path).path();
  return path;
}

// The folder itself, or something below it.
inline bool liesIn(const QString& path, const QString& folder) {
  return path == folder || path.startsWith(folder + QLatin1Char('/'));
}

// Also by way of links; of folders that are not there their names count.
inline bool sameFolder(const QString& one, const QString& other) {
  const QString real = QFileInfo(one).canonicalFilePath(), otherReal = QFileInfo(other).canonicalFilePath();
  if (!real.isEmpty() || !otherReal.isEmpty()) return real == otherReal;
  return QDir::cleanPath(QFileInfo(one).absoluteFilePath()) == QDir::cleanPath(QFileInfo(other).absoluteFilePath());
}

}  // namespace roadtune::studio
