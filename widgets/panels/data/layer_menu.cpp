// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/layer_menu.h"

#include "widgets/canvas/box_overlay.h"
#include "widgets/common/theme.h"
#include "widgets/panels/data/prediction_menu.h"

#include <QEvent>
#include <QPainter>

namespace roadtune::widgets {
namespace {

// A box drawn in the line of a layer, as a legend.
QIcon lineIcon(const QPen& pen) {
  QPixmap picture(32, 32);
  picture.setDevicePixelRatio(2);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setPen(pen);
  painter.drawRect(QRectF(1.5, 3.5, 13, 9));
  return QIcon(picture);
}

}  // namespace

LayerMenu::LayerMenu(PredictionMenu* predictions, QWidget* parent)
    : QMenu(parent),
      m_camera(addLayer(tr("Labels of the camera (H)"), "layerCamera")),
      m_names(addLayer(tr("Their names (L)"), "layerNames")),
      m_projected(addLayer(tr("Labels of the laser, as the camera sees them (J)"), "layerProjected")) {
  setObjectName(QStringLiteral("layerMenu"));
  m_camera->setChecked(true);
  m_names->setChecked(true);
  addSeparator();
  predictions->setTitle(tr("Predictions of a run"));
  addMenu(predictions);
  paintLines();
}

QAction* LayerMenu::addLayer(const QString& text, const char* name) {
  QAction* action = addAction(text);
  action->setObjectName(QLatin1String(name));
  action->setCheckable(true);
  return action;
}

void LayerMenu::paintLines() {
  const QColor colour = Theme::tokens().text;
  m_camera->setIcon(lineIcon(QPen(colour, 1.5)));
  m_projected->setIcon(lineIcon(QPen(colour, 1, Qt::DashDotDotLine)));
}

void LayerMenu::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) paintLines();
  QMenu::changeEvent(event);
}

}  // namespace roadtune::widgets
