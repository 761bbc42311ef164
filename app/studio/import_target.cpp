// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/import_target.h"

#include "app/studio/settings.h"
#include "core/base/url.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/index.h"
#include "widgets/common/free_name.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace roadtune::studio {
namespace {

// Of an address what follows "s3://": files of a bucket are kept below folders of that name.
QString placeOf(const QString& source) {
  const bool address = isUrl(source.toStdString());
  return QDir::cleanPath(address ? source.section(QStringLiteral("://"), 1) : QFileInfo(source).absoluteFilePath());
}

bool isOf(const QString& file, const QString& source) {
  const QString place = placeOf(source);
  if (isUrl(source.toStdString()))
    return (file + QLatin1Char('/')).contains(QLatin1Char('/') + place + QLatin1Char('/'));
  return file == place || file.startsWith(place.endsWith(QLatin1Char('/')) ? place : place + QLatin1Char('/'));
}

// Whether some of what the index was made from lies in these sources. One without anything is anybody's.
bool madeFrom(const data::Catalogue& catalogue, const QStringList& sources) {
  bool empty = true;
  for (const data::Catalogue::Unit& unit : catalogue.units) {
    for (const data::SourceFile& file : unit.sources) {
      const QString path = QString::fromStdString(file.path.string());
      empty = false;
      if (std::any_of(sources.begin(), sources.end(), [&](const QString& one) { return isOf(path, one); })) return true;
    }
  }
  return empty;
}

bool mayTake(const QString& folder, const QStringList& sources) {
  const data::IndexLayout layout{folder.toStdString()};
  if (data::Index::looksLikeIndex(layout.folder)) {
    const auto catalogue = data::readCatalogue(layout);
    return catalogue.ok() && madeFrom(catalogue.value(), sources);
  }
  const QFileInfo there(folder);
  if (!there.exists()) return true;
  // The lock is what an import leaves that was cancelled before anything was read.
  return there.isDir() && (QDir(folder).isEmpty() || QFileInfo::exists(QString::fromStdString(layout.lock().string())));
}

}  // namespace

QString importTarget(const QStringList& sources) {
  const QString name = QFileInfo(placeOf(sources.value(0))).completeBaseName();
  const QString first = QDir(Settings::defaultFolder()).filePath(QStringLiteral("indexes/") + name);
  return widgets::freeName(first, {}, [&](const QString& folder) { return !mayTake(folder, sources); });
}

ThereAlready thereAlready(const QString& folder) {
  if (!data::Index::looksLikeIndex(folder.toStdString())) return {};
  const auto index = data::Index::open(folder.toStdString());
  return {true, index.ok() ? index.value()->imageCount() : 0};
}

}  // namespace roadtune::studio
