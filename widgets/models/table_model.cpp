// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/table_model.h"

#include "widgets/common/theme.h"

namespace roadtune::widgets {
namespace {

QColor toneColour(TableModel::Tone tone) {
  const Tokens& t = Theme::tokens();
  switch (tone) {
    case TableModel::Tone::Plain: return t.text;
    case TableModel::Tone::Quiet: return t.secondary;
    case TableModel::Tone::Good: return t.good;
    case TableModel::Tone::Warning: return t.warn;
    case TableModel::Tone::Bad: return t.bad;
  }
  return t.text;
}

}  // namespace

TableModel::TableModel(QStringList headers, int toneColumn, QObject* parent)
    : QAbstractTableModel(parent), m_headers(std::move(headers)), m_toneColumn(toneColumn) {}

void TableModel::setRows(std::vector<Row> rows) {
  const int before = rowCount(), after = static_cast<int>(rows.size());
  // Growing and shrinking at the end keeps selection and scroll position.
  if (after > before) beginInsertRows({}, before, after - 1);
  if (after < before) beginRemoveRows({}, after, before - 1);
  m_rows = std::move(rows);
  if (after > before) endInsertRows();
  if (after < before) endRemoveRows();
  const int kept = std::min(before, after);
  if (kept > 0) emit dataChanged(index(0, 0), index(kept - 1, columnCount() - 1));
}

int TableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole: return row.cells.value(index.column());
    case Qt::ToolTipRole: return row.toolTip.isEmpty() ? QVariant() : row.toolTip;
    case Qt::ForegroundRole: return index.column() == m_toneColumn ? toneColour(row.tone) : QVariant();
    case Qt::TextAlignmentRole:
      return int((m_right.contains(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case ToneRole: return static_cast<int>(row.tone);
    case KeyRole: return row.key;
    default: return {};
  }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) return m_headers.value(section);
  if (role == Qt::TextAlignmentRole)
    return int((m_right.contains(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  return {};
}

}  // namespace roadtune::widgets
