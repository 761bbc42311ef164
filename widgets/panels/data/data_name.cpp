// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/data_name.h"

#include <QStringList>

namespace roadtune::widgets {

QString dataName(const std::filesystem::path& folder) {
  const QString own = QString::fromStdString(folder.filename().string());
  static const QStringList kDull = {QStringLiteral("index"), QStringLiteral("idx"), QStringLiteral("data"), QString()};
  const QString above = QString::fromStdString(folder.parent_path().filename().string());
  return kDull.contains(own.toLower()) && !above.isEmpty() ? above : own;
}

}  // namespace roadtune::widgets
