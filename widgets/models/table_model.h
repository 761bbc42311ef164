// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace roadtune::widgets {

// A small read-only table of texts that is replaced as a whole. Good for tens of rows, not for data sets.
class TableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum class Tone { Plain, Quiet, Good, Warning, Bad };
  struct Row {
    QStringList cells;
    Tone tone = Tone::Plain;  // of the cell in `toneColumn`
    QString key = {};         // for whoever listens to clicks
    QString toolTip = {};
  };
  enum Role { ToneRole = Qt::UserRole + 1, KeyRole };

  TableModel(QStringList headers, int toneColumn, QObject* parent = nullptr);
  void setRows(std::vector<Row> rows);
  void setRightAligned(const QList<int>& columns) { m_right = columns; }
  const std::vector<Row>& rows() const { return m_rows; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QStringList m_headers;
  int m_toneColumn;
  QList<int> m_right;
  std::vector<Row> m_rows;
};

}  // namespace roadtune::widgets
