// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <QAbstractTableModel>

namespace roadtune::widgets {

// Checks down, machines across; each cell has a mark and what was found, and says in its tool tip what to do.
class PreflightModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setMatrix(const PreflightMatrixPtr& matrix);
  const PreflightMatrixPtr& matrix() const { return m_matrix; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const PreflightCheck* cell(int row, int column) const;
  PreflightMatrixPtr m_matrix;
  QStringList m_keys;
};

}  // namespace roadtune::widgets
