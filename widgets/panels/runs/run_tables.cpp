// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/run_tables.h"

#include "core/base/units.h"
#include "core/config/schema.h"
#include "widgets/common/number_text.h"
#include "widgets/common/told_words.h"
#include "widgets/forms/field_text.h"
#include "widgets/panels/runs/run_header.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace roadtune::widgets {
namespace {

struct EventText {
  Q_DECLARE_TR_FUNCTIONS(RunEvents)
};

struct Dated {
  double time;
  TableModel::Row row;
};

constexpr double kLeastPhase = 0.1;  // seconds; what is shorter is a trainer passing through

QString clockText(double time) {
  return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(time * 1000)).toString(QStringLiteral("HH:mm:ss"));
}

TableModel::Row rowOf(double time, std::int64_t step, const QString& kind, const QString& text, TableModel::Tone tone) {
  const QString at = step > 0 ? countText(step) : QString();
  return {{time > 0 ? clockText(time) : QString(), at, kind, text}, tone, QString::number(step), text};
}

QString noticeText(const runs::Notice& notice) {
  QString text = verdictWords(notice.message);
  if (!notice.where.empty()) text += QStringLiteral("  ·  ") + QString::fromStdString(notice.where);
  if (!notice.hint.empty()) text += QStringLiteral("  ·  ") + EventText::tr("try: %1").arg(verdictWords(notice.hint));
  return text;
}

// How the trainer says that it ended.
QString endWord(const std::string& reason) {
  if (reason == "finished") return EventText::tr("finished");
  if (reason == "stopped") return EventText::tr("stopped");
  if (reason == "diverged") return EventText::tr("diverged");
  if (reason == "failed") return EventText::tr("failed");
  if (reason == "lost") return EventText::tr("lost");
  return QString::fromStdString(reason);
}

TableModel::Tone toneOf(runs::Severity severity) {
  return severity == runs::Severity::Error     ? TableModel::Tone::Bad
         : severity == runs::Severity::Warning ? TableModel::Tone::Warning
                                               : TableModel::Tone::Quiet;
}

QString settingText(const std::optional<std::string>& value) {
  const QString text = QString::fromStdString(value.value_or(""));
  return text.isEmpty() ? EventText::tr("not set") : text;
}

}  // namespace

std::vector<TableModel::Row> eventRows(const RunFrame& frame) {
  using Tone = TableModel::Tone;
  std::vector<Dated> all;
  for (const runs::Phase& phase : frame.phases) {
    if (phase.end && *phase.end - phase.begin < kLeastPhase) continue;
    const QString took = phase.end ? EventText::tr("took %1").arg(numberText(formatDuration(*phase.end - phase.begin)))
                                   : EventText::tr("going on");
    all.push_back({phase.begin, rowOf(phase.begin, phase.step, phaseWord(phase.name), took, Tone::Quiet)});
  }
  for (const runs::CheckpointInfo& saved : frame.checkpoints) {
    QString text = QString::fromStdString(saved.path);
    if (saved.bytes > 0) text += QStringLiteral("  ·  ") + numberText(formatBytes(saved.bytes));
    if (saved.seconds > 0) text += QStringLiteral("  ·  ") + numberText(formatDuration(saved.seconds));
    if (saved.removed) text += QStringLiteral("  ·  ") + EventText::tr("removed since");
    if (!saved.machine.empty())
      text += QStringLiteral("  ·  ") + EventText::tr("on %1").arg(QString::fromStdString(saved.machine));
    if (saved.onDisk && !saved.complete) text += QStringLiteral("  ·  ") + EventText::tr("incomplete");
    all.push_back({saved.time, rowOf(saved.time, saved.step, EventText::tr("checkpoint"), text, Tone::Good)});
  }
  for (const runs::Notice& notice : frame.notices) {
    const QString kind = notice.severity == runs::Severity::Error     ? EventText::tr("error")
                         : notice.severity == runs::Severity::Warning ? EventText::tr("warning")
                                                                      : EventText::tr("note");
    all.push_back({notice.time, rowOf(notice.time, notice.step, kind, noticeText(notice), toneOf(notice.severity))});
  }
  if (frame.end) {
    const bool good = frame.end->exitCode == 0;
    QString text = verdictWords(frame.end->message);
    if (frame.end->trainRuntime)
      text += (text.isEmpty() ? QString() : QStringLiteral("  ·  ")) +
              EventText::tr("trained for %1").arg(numberText(formatDuration(*frame.end->trainRuntime)));
    all.push_back({frame.end->time, rowOf(frame.end->time, frame.progress.step, endWord(frame.end->reason), text,
                                          good ? Tone::Good : Tone::Bad)});
  }
  std::stable_sort(all.begin(), all.end(), [](const Dated& a, const Dated& b) { return a.time > b.time; });
  std::vector<TableModel::Row> rows;
  for (Dated& one : all) rows.push_back(std::move(one.row));
  return rows;
}

std::vector<TableModel::Row> receiptRows(const RunFrame& frame) {
  using Tone = TableModel::Tone;
  std::vector<TableModel::Row> rows;
  if (!frame.receipt) return rows;
  rows.push_back({{frame.receipt->ok ? EventText::tr("As intended") : EventText::tr("Not as intended"),
                   frame.receipt->ok ? EventText::tr("Exactly what was to be trained changed in the first step.")
                                     : EventText::tr("What changed in the first step differs from what was asked.")},
                  frame.receipt->ok ? Tone::Good : Tone::Bad});
  for (const auto& line : frame.receipt->mismatches)
    rows.push_back({{EventText::tr("Mismatch"), QString::fromStdString(line)}, Tone::Bad});
  for (const auto& line : frame.receipt->updated)
    rows.push_back({{EventText::tr("Updated"), QString::fromStdString(line)}, Tone::Quiet});
  return rows;
}

std::vector<TableModel::Row> differenceRows(const RunFrame& frame) {
  std::vector<TableModel::Row> rows;
  const bool several = frame.besideDifferences.size() > 1;
  for (const auto& [name, differences] : frame.besideDifferences) {
    for (const runs::SettingDifference& one : differences) {
      const QString key = QString::fromStdString(one.key), there = settingText(one.b);
      const config::Field* field = config::findField(one.key);
      rows.push_back({{field ? fieldTitle(*field) : key, settingText(one.a),
                       several ? name + QStringLiteral(": ") + there : there},
                      TableModel::Tone::Plain,
                      {},
                      QStringLiteral("%1: %2 → %3").arg(key, settingText(one.a), there)});
    }
  }
  return rows;
}

}  // namespace roadtune::widgets
