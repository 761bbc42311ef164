// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/age_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace roadtune::widgets {
namespace {

struct Age {
  Q_DECLARE_TR_FUNCTIONS(Age)
};

QDateTime timeOf(double seconds) { return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(seconds * 1000)); }

}  // namespace

QString ageText(double then, double now) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 24 * kHour;
  const double past = now - then;
  if (past < kMinute) return Age::tr("just now");  // also of a machine whose clock is ahead
  if (past < kHour) return Age::tr("%1 min ago").arg(static_cast<int>(past / kMinute));
  if (past < kDay) return Age::tr("%1 h ago").arg(static_cast<int>(past / kHour));
  const QDate date = timeOf(then).date();
  const bool thisYear = date.year() == timeOf(now).date().year();
  return QLocale().toString(date, thisYear ? Age::tr("d MMM", "a date") : Age::tr("MMM yyyy", "a date"));
}

QString dateText(double then) {
  const QDateTime time = timeOf(then);
  return QLocale().toString(time.date(), Age::tr("d MMM yyyy", "a date")) + QStringLiteral(", ") +
         time.toString(QStringLiteral("HH:mm"));
}

}  // namespace roadtune::widgets
