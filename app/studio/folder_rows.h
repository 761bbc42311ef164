// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QScrollArea>
#include <QStringList>

class QVBoxLayout;

namespace roadtune::studio {

// Folders one below the other, each with a button that takes it off the list; scrolls.
class FolderRows : public QScrollArea {
  Q_OBJECT
 public:
  explicit FolderRows(QWidget* parent = nullptr);
  void setFolders(const QStringList& folders, const QStringList& fixed);  // `fixed` stays
  QSize sizeHint() const override;                                        // of some of them
  QSize minimumSizeHint() const override;

 signals:
  void removeRequested(const QString& folder);

 private:
  QWidget* makeRow(const QString& folder, bool removable);
  QVBoxLayout* m_rows;
};

}  // namespace roadtune::studio
