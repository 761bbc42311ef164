// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QMenu>

namespace roadtune::widgets {

class PredictionMenu;

// What is drawn over an image: the camera's labels, what the laser's labels look like from there, predictions.
class LayerMenu : public QMenu {
  Q_OBJECT
 public:
  LayerMenu(PredictionMenu* predictions, QWidget* parent);
  QAction* camera() const { return m_camera; }
  QAction* names() const { return m_names; }
  QAction* projected() const { return m_projected; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QAction* addLayer(const QString& text, const char* name);
  void paintLines();
  QAction* m_camera;
  QAction* m_names;
  QAction* m_projected;
};

}  // namespace roadtune::widgets
