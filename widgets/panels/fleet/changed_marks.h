// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/preflight_changes.h"

#include <QIdentityProxyModel>

namespace roadtune::widgets {

// A preflight matrix in which what changed stands in strong letters, with what it was before.
class ChangedMarks : public QIdentityProxyModel {
  Q_OBJECT
 public:
  using QIdentityProxyModel::QIdentityProxyModel;
  void setRecord(const PreflightRecords& records, std::size_t at);
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  const PreflightCheck* before(const QModelIndex& index) const;
  QStringList m_machines;  // of the columns from the second on
  PreflightChanges m_changes;
};

}  // namespace roadtune::widgets
