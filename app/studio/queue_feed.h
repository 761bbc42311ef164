// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/models/queue_model.h"

#include <QObject>

class QTimer;

namespace roadtune::studio {

// Looks at this user's queue every second: other windows and terminals change it too. Lives on a thread of its own.
class QueueFeed : public QObject {
  Q_OBJECT
 public:
  explicit QueueFeed(QObject* parent = nullptr);

 public slots:
  void start();
  void lookNow();  // tells even when nothing has changed

 signals:
  void found(const roadtune::widgets::QueueViewPtr& view);

 private:
  void look();
  widgets::QueueViewPtr m_last;
  QTimer* m_timer;
};

}  // namespace roadtune::studio
