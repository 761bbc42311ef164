// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/preflight_model.h"

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"

#include <QGuiApplication>
#include <QIcon>

namespace roadtune::widgets {
namespace {

QIcon verdictMark(PreflightCheck::Verdict verdict) {
  const Tokens& t = Theme::tokens();
  const qreal scale = qGuiApp->devicePixelRatio();
  switch (verdict) {
    case PreflightCheck::Verdict::Good: return iconPixmap(QStringLiteral("check"), 16, t.good, scale);
    case PreflightCheck::Verdict::Warning: return iconPixmap(QStringLiteral("warning"), 16, t.warn, scale);
    case PreflightCheck::Verdict::Bad: return iconPixmap(QStringLiteral("error"), 16, t.bad, scale);
    case PreflightCheck::Verdict::Unknown: return iconPixmap(QStringLiteral("minus"), 16, t.disabled, scale);
  }
  return {};
}

QString verdictWord(PreflightCheck::Verdict verdict) {
  switch (verdict) {
    case PreflightCheck::Verdict::Good: return PreflightModel::tr("good");
    case PreflightCheck::Verdict::Warning: return PreflightModel::tr("to know");
    case PreflightCheck::Verdict::Bad: return PreflightModel::tr("in the way");
    case PreflightCheck::Verdict::Unknown: return PreflightModel::tr("not known");
  }
  return {};
}

}  // namespace

void PreflightModel::setMatrix(const PreflightMatrixPtr& matrix) {
  beginResetModel();
  m_matrix = matrix;
  m_keys.clear();
  for (const PreflightColumn& machine : m_matrix->machines) {
    for (const PreflightCheck& check : machine.checks) {
      if (m_keys.contains(check.key)) continue;
      check.key == QLatin1String("reach") ? m_keys.prepend(check.key) : m_keys.append(check.key);
    }
  }
  endResetModel();
}

const PreflightCheck* PreflightModel::cell(int row, int column) const {
  if (!m_matrix || column < 1) return nullptr;
  for (const PreflightCheck& check : m_matrix->machines[static_cast<std::size_t>(column - 1)].checks) {
    if (check.key == m_keys[row]) return &check;
  }
  return nullptr;
}

int PreflightModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_keys.size());
}

int PreflightModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : 1 + (m_matrix ? static_cast<int>(m_matrix->machines.size()) : 0);
}

QVariant PreflightModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (index.column() == 0)
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(checkTitle(m_keys[index.row()])) : QVariant();
  const PreflightCheck* check = cell(index.row(), index.column());
  if (!check) return {};
  switch (role) {
    case Qt::DisplayRole: return checkWords(check->found);
    case Qt::DecorationRole: return verdictMark(check->verdict);
    case Qt::ToolTipRole: {
      QStringList lines{checkWords(check->found)};
      if (!check->advice.isEmpty()) lines << checkWords(check->advice);
      for (const QString& note : check->notes) lines << checkWords(note);
      return lines.join(QLatin1Char('\n'));
    }
    case Qt::AccessibleTextRole: return verdictWord(check->verdict) + QStringLiteral(": ") + checkWords(check->found);
    default: return {};
  }
}

QVariant PreflightModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  return section == 0 ? tr("Check") : machineTitle(m_matrix->machines[static_cast<std::size_t>(section - 1)].host);
}

}  // namespace roadtune::widgets
