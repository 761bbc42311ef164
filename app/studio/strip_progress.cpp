// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/strip_progress.h"

#include "core/base/units.h"
#include "widgets/common/number_text.h"
#include "widgets/frame/status_strip.h"

#include <QCoreApplication>

namespace roadtune::studio {
namespace {

// Stages and units come from work that knows no window. A word that is not known here stays as it is.
QString workWord(const QString& word) {
  static const char* const kWords[] = {QT_TRANSLATE_NOOP("Work", "waiting"),
                                       QT_TRANSLATE_NOOP("Work", "connecting"),
                                       QT_TRANSLATE_NOOP("Work", "comparing"),
                                       QT_TRANSLATE_NOOP("Work", "copying"),
                                       QT_TRANSLATE_NOOP("Work", "uploading"),
                                       QT_TRANSLATE_NOOP("Work", "installing torch"),
                                       QT_TRANSLATE_NOOP("Work", "copying torch"),
                                       QT_TRANSLATE_NOOP("Work", "fetching"),
                                       QT_TRANSLATE_NOOP("Work", "links"),
                                       QT_TRANSLATE_NOOP("Work", "sum over pairs"),
                                       QT_TRANSLATE_NOOP("Work", "indexing"),
                                       QT_TRANSLATE_NOOP("Work", "thumbnails"),
                                       QT_TRANSLATE_NOOP("Work", "packing"),
                                       QT_TRANSLATE_NOOP("Work", "exporting"),
                                       QT_TRANSLATE_NOOP("Work", "drawing"),
                                       QT_TRANSLATE_NOOP("Work", "drawing labels"),
                                       QT_TRANSLATE_NOOP("Work", "counting tokens"),
                                       QT_TRANSLATE_NOOP("Work", "comparing pictures"),
                                       QT_TRANSLATE_NOOP("Work", "finishing"),
                                       QT_TRANSLATE_NOOP("Work", "images"),
                                       QT_TRANSLATE_NOOP("Work", "segments"),
                                       QT_TRANSLATE_NOOP("Work", "samples"),
                                       QT_TRANSLATE_NOOP("Work", "files"),
                                       QT_TRANSLATE_NOOP("Work", "machines"),
                                       QT_TRANSLATE_NOOP("Work", "pairs"),
                                       QT_TRANSLATE_NOOP("Work", "items"),
                                       QT_TRANSLATE_NOOP("Work", "steps")};
  for (const char* known : kWords)
    if (word == QLatin1String(known)) return QCoreApplication::translate("Work", known);
  return word;
}

QString amountText(quint64 value, const QString& unit) {
  if (unit == QLatin1String("bytes")) return widgets::numberText(formatBytes(double(value)));
  return widgets::countText(value);
}

}  // namespace

QString progressText(const QString& stage, quint64 done, quint64 total, const QString& unit) {
  if (total == 0) return workWord(stage);
  const QString suffix = unit == QLatin1String("bytes") ? QString() : QLatin1Char(' ') + workWord(unit);
  return QCoreApplication::translate("Job", "%1: %2 of %3%4")
      .arg(workWord(stage), amountText(done, unit), amountText(total, unit), suffix);
}

StripProgress::StripProgress(widgets::StatusStrip* strip, const QString& title, QObject* parent, Shown shown)
    : QObject(parent), m_strip(strip), m_title(title) {
  if (shown == Shown::AtOnce) m_job = strip->addJob(title);
  connect(strip, &widgets::StatusStrip::cancelRequested, this, [this](int job) {
    if (job == m_job) m_cancelled = true;
  });
}

StripProgress::~StripProgress() {
  if (m_strip && m_job) m_strip->endJob(*m_job);
}

bool StripProgress::report(const Progress& progress) {
  const QString text = progressText(QString::fromStdString(progress.stage), progress.done, progress.total,
                                    QString::fromStdString(progress.unit));
  QMetaObject::invokeMethod(
      this,
      [this, text, done = progress.done, total = progress.total] {
        if (!m_strip) return;
        if (!m_job) m_job = m_strip->addJob(m_title);
        m_strip->setJobProgress(*m_job, done, total, text);
      },
      Qt::QueuedConnection);
  return !m_cancelled;
}

}  // namespace roadtune::studio
