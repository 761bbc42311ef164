// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_list_model.h"

#include "core/base/clock.h"
#include "core/runs/end_words.h"
#include "widgets/common/loss_number.h"
#include "widgets/common/number_text.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/tokens.h"
#include "widgets/common/told_words.h"
#include "widgets/models/age_text.h"
#include "widgets/models/plain_places.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace roadtune::widgets {
namespace {
struct StateText {
  Q_DECLARE_TR_FUNCTIONS(RunState)
};

// Four digits that count, so that losses of any size can be compared.
QString lossText(double loss) {
  const double size = std::abs(loss);
  if (!std::isfinite(loss) || size < 0.001) return lossNumber(loss);
  return fixedText(loss, std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 0, 4));
}
}  // namespace

QString stateWord(runs::RunState state, bool paused) {
  switch (state) {
    case runs::RunState::Created: return StateText::tr("not started");
    case runs::RunState::Running: return paused ? StateText::tr("paused") : StateText::tr("running");
    case runs::RunState::Finished: return StateText::tr("finished");
    case runs::RunState::Stopped: return StateText::tr("stopped");
    case runs::RunState::Failed: return StateText::tr("failed");
    case runs::RunState::Lost: return StateText::tr("no sign of life");
  }
  return {};
}

QString asOfWords(double wallSeconds) {
  const QDateTime then = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(wallSeconds * 1000));
  const QString clock = then.toString(QStringLiteral("HH:mm"));
  if (then.date() == QDate::currentDate()) return StateText::tr("as of %1").arg(clock);
  return StateText::tr("as of %1, %2").arg(QLocale().toString(then.date(), QLocale::ShortFormat), clock);
}

QString pathText(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

RunListModel::RunListModel(QObject* parent) : QAbstractListModel(parent) {}

std::vector<runs::RunEntry> RunListModel::sorted(std::vector<runs::RunEntry> runs) const {
  const auto pinned = [this](const runs::RunEntry& run) { return marks(pathText(run.path)).pinned; };
  std::stable_sort(runs.begin(), runs.end(), [&](const auto& a, const auto& b) {
    if (pinned(a) != pinned(b)) return pinned(a);
    return isBefore(a, b, m_order);
  });
  return runs;
}

void RunListModel::setRuns(const std::vector<runs::RunEntry>& runs) {
  auto next = sorted(runs);
  const bool same =
      next.size() == m_runs.size() && std::equal(next.begin(), next.end(), m_runs.begin(),
                                                 [](const auto& a, const auto& b) { return a.path == b.path; });
  if (same) {
    m_runs = std::move(next);
    if (!m_runs.empty()) emit dataChanged(index(0), index(rowCount() - 1));
    return;
  }
  beginResetModel();
  m_runs = std::move(next);
  endResetModel();
}

void RunListModel::setOrder(RunOrder order) {
  if (order == m_order) return;
  m_order = order;
  setRuns(std::vector<runs::RunEntry>(m_runs));
}

void RunListModel::setAllMarks(const RunMarksByFolder& marks) {
  beginResetModel();
  m_marks = marks;
  m_runs = sorted(std::move(m_runs));
  endResetModel();
}

void RunListModel::setMarks(const QString& path, const RunMarks& marks) {
  const RunMarks before = m_marks.value(path);
  if (path.isEmpty() || marks == before) return;
  if (marks == RunMarks())
    m_marks.remove(path);
  else
    m_marks[path] = marks;
  if (marks.pinned != before.pinned) setAllMarks(RunMarksByFolder(m_marks));
  if (!m_runs.empty()) emit dataChanged(index(0), index(rowCount() - 1));
  emit marksChanged(path, before);
}

void RunListModel::togglePinned(const QString& path) {
  RunMarks next = m_marks.value(path);
  next.pinned = !next.pinned;
  setMarks(path, next);
}

QStringList RunListModel::knownTags() const {
  QStringList all;
  for (const RunMarks& marks : m_marks) all << marks.tags;
  all.removeDuplicates();
  all.sort(Qt::CaseInsensitive);
  return all;
}

QList<int> RunListModel::besideColours() const {
  QList<int> colours;
  for (const QString& path : m_beside) colours << m_marks.value(path).colour;
  int next = 0;
  for (int& colour : colours) {
    if (colour >= 0) continue;
    while (colours.contains(next)) ++next;
    colour = next;
  }
  return colours;
}

void RunListModel::setBeside(const QString& shown, const QStringList& paths) {
  m_beside = paths.isEmpty() ? QStringList() : QStringList(shown) + paths;
  if (!m_runs.empty()) emit dataChanged(index(0), index(rowCount() - 1), {BesideRole});
}

int RunListModel::rowOf(const QString& path) const {
  for (std::size_t i = 0; i < m_runs.size(); ++i) {
    if (pathText(m_runs[i].path) == path) return static_cast<int>(i);
  }
  return -1;
}

int RunListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

// The first is all there is to say; each one after it is shorter: steps go first, the loss never.
QStringList RunListModel::details(const runs::RunEntry& run) const {
  QStringList parts{run.foreign ? tr("TensorBoard") : stateWord(run.state, run.paused)};
  if (run.asOf) parts << asOfWords(*run.asOf);
  const bool under = run.totalSteps > 0 && run.step < run.totalSteps;
  const QStringList steps = under ? QStringList(tr("%1 / %2").arg(countText(run.step), countText(run.totalSteps)))
                            : run.step > 0 ? QStringList(tr("%1 steps").arg(countText(run.step)))
                                           : QStringList();
  const QStringList loss = run.loss ? QStringList(tr("loss %1").arg(lossText(*run.loss))) : QStringList();
  QStringList all;
  const auto say = [&all](const QStringList& words) { all << words.join(QStringLiteral(" · ")); };
  if (!steps.isEmpty()) say(under ? parts + steps + loss : parts + loss + steps);
  say(parts + loss);
  for (; !loss.isEmpty() && !parts.isEmpty(); parts.removeFirst()) say(parts.mid(1) + loss);  // a mark tells the state
  return all;
}

QVariant RunListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const runs::RunEntry& run = m_runs[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return lineText(QString::fromStdString(run.name.empty() ? run.path.filename().string() : run.name));
    case Qt::ToolTipRole: {
      QString text = data(index, Qt::DisplayRole).toString() + QLatin1Char('\n') + pathText(run.path);
      if (run.started > 0) text += QLatin1Char('\n') + tr("Started %1").arg(dateText(run.started));
      if (run.lossRisen) text += QLatin1Char('\n') + tr("Its loss is higher than it began.");
      if (!run.reason.empty())
        text += QLatin1Char('\n') + verdictWords(plainPlaces(runs::plainEnd(run.reason, run.worldSize), {}));
      return tipText(text);
    }
    case PathRole: return pathText(run.path);
    case StateRole: return static_cast<int>(run.state);
    case PausedRole: return run.paused;
    case PinnedRole: return marks(pathText(run.path)).pinned;
    case DetailRole: return details(run).constFirst();
    case DetailsRole: return details(run);
    case AgeRole: return run.started > 0 ? ageText(run.started, wallSeconds()) : QString();
    case ForeignRole: return run.foreign;
    case ResumableRole: return run.resumable;
    case WarnRole: return run.lossRisen;
    case BesideRole: {
      const qsizetype at = m_beside.indexOf(pathText(run.path));
      return at >= 0 ? QVariant(seriesColour(static_cast<std::size_t>(besideColours().at(at)))) : QVariant();
    }
    case ColourRole: {
      const int colour = marks(pathText(run.path)).colour;
      return colour >= 0 ? QVariant(seriesColour(static_cast<std::size_t>(colour))) : QVariant();
    }
    case TagsRole: return marks(pathText(run.path)).tags;
    case SearchRole:
      return QStringLiteral("%1 %2 %3 %4 %5 %6")
          .arg(QString::fromStdString(run.name), stateWord(run.state, run.paused), QString::fromStdString(run.model),
               QString::fromStdString(run.method), pathText(run.path),
               marks(pathText(run.path)).tags.join(QLatin1Char(' ')));
    case Qt::AccessibleTextRole:
      return data(index, Qt::DisplayRole).toString() + QStringLiteral(", ") + data(index, DetailRole).toString() +
             (run.lossRisen ? QStringLiteral(", ") + tr("its loss is higher than it began") : QString()) +
             (run.started > 0 ? QStringLiteral(", ") + data(index, AgeRole).toString() : QString()) +
             (marks(pathText(run.path)).tags.isEmpty()
                  ? QString()
                  : QStringLiteral(", ") + marks(pathText(run.path)).tags.join(QStringLiteral(", "))) +
             (m_beside.indexOf(pathText(run.path)) > 0 ? QStringLiteral(", ") + tr("beside the run on show")
                                                       : QString());
    default: return {};
  }
}

}  // namespace roadtune::widgets
