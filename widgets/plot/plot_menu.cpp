// SPDX-License-Identifier: GPL-3.0-or-later
// What is done with one plot of the grid: its numbers and its picture taken elsewhere.
#include "widgets/common/theme.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QSvgGenerator>

namespace roadtune::widgets {
namespace {

QImage pictureOf(CurvePlot& plot) {
  constexpr qreal kScale = 2;  // sharp also where it is shown larger
  QImage picture(plot.size() * kScale, QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(kScale);
  picture.fill(Theme::tokens().surface);
  plot.render(&picture);
  return picture;
}

}  // namespace

void PlotGrid::openMenu(const QString& key, const QPoint& at) {
  CurvePlot* one = plot(key);
  auto* menu = new QMenu(one);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setObjectName(QStringLiteral("plotMenu"));
  // Read now: the crosshair goes when the mouse does.
  const QString place = one->place();
  menu->addAction(place.isEmpty() ? tr("Copy the latest values") : tr("Copy the values at %1").arg(place), this,
                  [words = one->readings()] { QApplication::clipboard()->setText(words); });
  menu->addAction(tr("Copy the picture"), this, [one] { QApplication::clipboard()->setImage(pictureOf(*one)); });
  menu->addAction(tr("Save the picture as…"), this, [this, key] { emit saveRequested(key); });
  menu->addSeparator();
  menu->addAction(tr("Show the whole run"), this, &PlotGrid::fit)->setEnabled(!m_fitted);
  menu->popup(at);
}

bool PlotGrid::savePlot(const QString& key, const QString& file) const {
  CurvePlot* one = plot(key);
  if (!one) return false;
  if (!file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) return pictureOf(*one).save(file);
  QSvgGenerator drawing;
  drawing.setFileName(file);
  drawing.setSize(one->size());
  drawing.setViewBox(one->geometry());
  drawing.setTitle(one->title());
  return CurvePlot::draw({one}, drawing);
}

}  // namespace roadtune::widgets
