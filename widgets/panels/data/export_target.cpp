// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/export_target.h"

#include "widgets/common/free_name.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr QLatin1String kMark(".roadtune-export");
constexpr QDir::Filters kAll = QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot;

bool holdsSomething(const QString& path) {
  const QFileInfo there(path);
  if (!there.exists() && !there.isSymLink()) return false;
  return !there.isDir() || !QDir(path).isEmpty(kAll);
}

// "/a/b" of "/a/b.json".
QString stemOf(const QString& out) {
  const QString suffix = QFileInfo(out).suffix();
  return suffix.isEmpty() ? out : out.chopped(suffix.size() + 1);
}

QString pictureFolder(const QString& out) { return stemOf(out) + QStringLiteral("-images"); }

}  // namespace

QStringList filesOfExport(const QString& out) {
  const QString stem = stemOf(out), ending = out.mid(stem.size());
  return {out, stem + QStringLiteral("-training") + ending, stem + QStringLiteral("-validation") + ending};
}

bool isExportTaken(const QString& out, bool folder) {
  if (folder) return holdsSomething(out);
  const QStringList files = filesOfExport(out);
  return std::any_of(files.begin(), files.end(), holdsSomething) || holdsSomething(pictureFolder(out));
}

QString freeExportName(const QString& out, bool folder) {
  const QString name = folder ? out : stemOf(out);
  return freeName(name, out.mid(name.size()), [&](const QString& one) { return isExportTaken(one, folder); });
}

bool mayReplaceExport(const QString& out, bool folder) {
  if (!folder) {
    const QStringList files = filesOfExport(out);
    const bool folders = std::any_of(files.begin(), files.end(), [](const QString& one) { return QDir(one).exists(); });
    return !folders && !holdsSomething(pictureFolder(out));
  }
  static const QStringList kOurs = {kMark,
                                    QStringLiteral(".exported-files"),
                                    QStringLiteral("ATTRIBUTION"),
                                    QStringLiteral("Annotations"),
                                    QStringLiteral("data.yaml"),
                                    QStringLiteral("images"),
                                    QStringLiteral("label_2"),
                                    QStringLiteral("labels"),
                                    QStringLiteral("training"),
                                    QStringLiteral("validation")};
  if (QFileInfo(out).isSymLink() || !QFile::exists(out + QLatin1Char('/') + kMark)) return false;
  const QStringList names = QDir(out).entryList(kAll);
  return std::all_of(names.begin(), names.end(), [](const QString& one) { return kOurs.contains(one); });
}

void markExport(const QString& folder) {
  QFile mark(folder + QLatin1Char('/') + kMark);
  if (mark.open(QIODevice::WriteOnly)) mark.write("Written by Roadtune Studio, which may replace this folder.\n");
}

}  // namespace roadtune::widgets
