// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/frame/overlay.h"

#include <QStringList>

class QLineEdit;
class QListWidget;
class QPushButton;

namespace roadtune::widgets {

// Which machines to add: names of ssh_config to tick, or user@host:port typed; and the group they go to.
class AddMachinePanel : public Overlay {
  Q_OBJECT
 public:
  explicit AddMachinePanel(QWidget* window);
  void choose(const QStringList& known, const QStringList& groups);  // opens

 signals:
  void chosen(const QStringList& names, const QString& group);

 protected:
  QSize panelSize(const QSize& window) const override;
  void onOpen() override;

 private:
  QStringList names() const;
  void accept();
  QListWidget* m_list;
  QLineEdit* m_typed;
  QLineEdit* m_group;
  QPushButton* m_add;
};

}  // namespace roadtune::widgets
