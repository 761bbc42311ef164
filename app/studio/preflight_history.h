// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/preflight_store.h"

#include <QObject>

#include <functional>

namespace roadtune::widgets {
class PreflightHistoryPanel;
}

namespace roadtune::studio {

// Keeps each preflight check, shows the earlier ones on their panel and takes out what the user does not want to keep.
class PreflightHistory : public QObject {
  Q_OBJECT
 public:
  explicit PreflightHistory(widgets::PreflightHistoryPanel* panel, QObject* parent = nullptr);
  void keep(const widgets::PreflightMatrix& matrix);  // as of now

 signals:
  void failed(const roadtune::Error& error);

 private:
  void change(std::function<Status(const PreflightStore&)> change);
  widgets::PreflightHistoryPanel* m_panel;
  PreflightStore m_store;
  Background m_background{"preflight history"};
};

}  // namespace roadtune::studio
