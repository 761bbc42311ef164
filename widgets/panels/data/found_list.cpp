// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/found_list.h"

#include "core/base/units.h"
#include "widgets/canvas/value_text.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_text.h"

#include <QGridLayout>
#include <QLabel>

namespace roadtune::widgets {
namespace {

QString splitWords(const QList<QPair<QString, quint64>>& splits) {
  QStringList parts;
  for (const auto& [name, count] : splits) {
    const QString amount = countText(count);
    parts << (name.isEmpty() ? FoundList::tr("%1 without a split").arg(amount)
                             : valueText("split", name.toStdString()) + QLatin1Char(' ') + amount);
  }
  return parts.join(QStringLiteral("  ·  "));
}

}  // namespace

QString readableFormats() {
  return FoundList::tr(
      "Waymo TFRecords and Parquet, COCO, YOLO, KITTI, VOC, BDD100K, JSONL, conversations and VQA Parquet are "
      "recognised and read where they lie.");
}

QString formatWords(const QString& format) {
  if (format == QLatin1String("waymo-v1")) return FoundList::tr("Waymo recordings, TFRecord");
  if (format == QLatin1String("waymo-v2")) return FoundList::tr("Waymo recordings, Parquet");
  if (format == QLatin1String("coco")) return FoundList::tr("COCO annotations");
  if (format == QLatin1String("jsonl")) return FoundList::tr("Questions and answers, JSONL");
  if (format == QLatin1String("conversations")) return FoundList::tr("Conversations about pictures, JSON");
  if (format == QLatin1String("vqa")) return FoundList::tr("Questions and answers, Parquet");
  if (format == QLatin1String("yolo")) return FoundList::tr("YOLO data set");
  if (format == QLatin1String("kitti")) return FoundList::tr("KITTI labels");
  if (format == QLatin1String("voc")) return FoundList::tr("Pascal VOC annotations");
  if (format == QLatin1String("bdd")) return FoundList::tr("BDD100K labels");
  if (format == QLatin1String("objects-tfrecord")) return FoundList::tr("TFRecord files");
  if (format == QLatin1String("objects-parquet")) return FoundList::tr("Parquet files");
  if (format == QLatin1String("objects-json")) return FoundList::tr("JSON files");
  if (format == QLatin1String("objects-jsonl")) return FoundList::tr("JSONL files");
  if (format == QLatin1String("objects-tar")) return FoundList::tr("Tar archives");
  if (format == QLatin1String("objects-pictures")) return FoundList::tr("Pictures");
  if (format == QLatin1String("objects-other")) return FoundList::tr("Other files");
  return format;
}

FoundList::FoundList(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
  setObjectName(QStringLiteral("importFound"));
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setHorizontalSpacing(12);
  m_grid->setVerticalSpacing(2);
  m_grid->setColumnStretch(0, 1);
}

void FoundList::setFormats(const QList<FoundFormat>& formats) {
  qDeleteAll(findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly));
  int line = 0;
  for (const FoundFormat& one : formats) {
    auto* name = new QLabel(formatWords(one.format));
    name->setObjectName(QStringLiteral("found_") + one.format);
    const QString count = countText(one.files);
    auto* amount = new QLabel(QStringLiteral("%1  ·  %2")
                                  .arg(one.files == 1 ? tr("1 file") : tr("%1 files").arg(count),
                                       numberText(formatBytes(double(one.bytes)))));
    m_grid->addWidget(name, line, 0);
    m_grid->addWidget(amount, line, 1, Qt::AlignRight);
    m_grid->addWidget(secondaryLabel(splitWords(one.splits)), line + 1, 0, 1, 2);
    line += 2;
  }
  setVisible(line > 0);
}

}  // namespace roadtune::widgets
