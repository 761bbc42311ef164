// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/preflight_changes.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace roadtune::widgets {
namespace {

constexpr double kNoNews = 0.1;  // share by which a measured quantity may differ

// Quantities that are never twice the same: their numbers are compared by size, or not at all.
bool isMeasured(const QString& key) {
  static const QStringList kMeasured{"memory", "disk", "shm", "gpu", "data", "checkpoints"};
  return kMeasured.contains(key) || key.startsWith(QLatin1String("link")) || key.startsWith(QLatin1String("read")) ||
         key.startsWith(QLatin1String("all-reduce"));
}
bool isFleeting(const QString& key) { return key == QLatin1String("reach") || key == QLatin1String("clock"); }

bool sameWords(const QString& a, const QString& b, bool anyNumber) {
  const QStringList left = a.split(QLatin1Char(' ')), right = b.split(QLatin1Char(' '));
  if (left.size() != right.size()) return false;
  for (qsizetype i = 0; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    bool one = false, other = false;
    const double x = left[i].toDouble(&one), y = right[i].toDouble(&other);
    if (!one || !other) return false;
    if (!anyNumber && std::abs(x - y) > kNoNews * std::max(std::abs(x), std::abs(y))) return false;
  }
  return true;
}

using Checks = std::vector<PreflightCheck>;

const Checks* checksOf(const PreflightMatrix& matrix, const QString& machine) {
  if (machine.isEmpty()) return matrix.together.empty() ? nullptr : &matrix.together;
  for (const PreflightColumn& column : matrix.machines)
    if (column.host == machine) return &column.checks;
  return nullptr;
}

void compare(const QString& machine, const Checks& now, const Checks& before, PreflightChanges& changes) {
  for (const PreflightCheck& check : now) {
    const auto same = std::find_if(before.begin(), before.end(), [&](const auto& one) { return one.key == check.key; });
    if (same != before.end() && !sameFinding(check, *same)) changes[{machine, check.key}] = *same;
  }
}

}  // namespace

bool sameFinding(const PreflightCheck& a, const PreflightCheck& b) {
  if (a.verdict != b.verdict) return false;
  if (a.found == b.found) return true;
  // How fast a disk was just then is no news either: its verdict says when it is slow.
  static const QRegularExpression kSpeed(QStringLiteral(", writes [^,]*/s"));
  const QString left = QString(a.found).remove(kSpeed), right = QString(b.found).remove(kSpeed);
  return (isMeasured(a.key) || isFleeting(a.key)) && sameWords(left, right, isFleeting(a.key));
}

PreflightChanges changesAt(const PreflightRecords& records, std::size_t at) {
  PreflightChanges changes;
  const auto against = [&](const QString& machine, const Checks& now) {
    for (std::size_t i = at; i-- > 0;)
      if (const Checks* before = checksOf(records[i].matrix, machine)) return compare(machine, now, *before, changes);
  };
  for (const PreflightColumn& machine : records[at].matrix.machines) against(machine.host, machine.checks);
  // What machines agree in is compared with a check of the same machines only.
  const auto hosts = [](const PreflightMatrix& matrix) {
    QStringList all;
    for (const PreflightColumn& machine : matrix.machines) all << machine.host;
    all.sort();
    return all;
  };
  for (std::size_t i = at; i-- > 0;) {
    if (hosts(records[i].matrix) != hosts(records[at].matrix)) continue;
    compare({}, records[at].matrix.together, records[i].matrix.together, changes);
    break;
  }
  return changes;
}

}  // namespace roadtune::widgets
