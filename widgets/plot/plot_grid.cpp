// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot_grid.h"

#include "widgets/common/theme.h"
#include "widgets/plot/curve_plot.h"

#include <QEvent>
#include <QGridLayout>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

namespace roadtune::widgets {

namespace {
constexpr int kUnseenColumns = 1000;  // nobody has seen the plots yet: rather too many points than too few
}  // namespace

PlotGrid::PlotGrid(QWidget* parent) : QWidget(parent), m_layout(new QGridLayout(this)), m_columns(kUnseenColumns) {
  m_width.setSingleShot(true);
  connect(&m_width, &QTimer::timeout, this, &PlotGrid::lookAtWidth);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_layout->setContentsMargins(0, 0, 0, 0);
  m_layout->setSpacing(1);
}

CurvePlot* PlotGrid::add(const QString& key, CurvePlot* plot) {
  plot->setParent(this);
  plot->setObjectName(QStringLiteral("plot_") + key);
  m_plots.emplace_back(key, plot);
  m_shown[key] = true;
  plot->installEventFilter(this);
  plot->setXAxis(m_axis);
  plot->setRange(visible(), m_whole);
  connect(plot, &CurvePlot::rangeRequested, this, &PlotGrid::zoomTo);
  connect(plot, &CurvePlot::fitRequested, this, &PlotGrid::fit);
  connect(plot, &CurvePlot::clicked, this, &PlotGrid::clicked);
  connect(plot, &CurvePlot::clickTakenBack, this, &PlotGrid::clickTakenBack);
  connect(plot, &CurvePlot::menuRequested, this, [this, key](const QPoint& at) { openMenu(key, at); });
  connect(plot, &CurvePlot::crosshairMoved, this, [this, plot](double x) {
    for (const auto& [name, other] : m_plots) {
      if (other != plot) other->showCrosshair(x);
    }
  });
  connect(plot, &CurvePlot::crosshairLeft, this, [this] {
    for (const auto& [name, other] : m_plots) other->hideCrosshair();
  });
  arrange();
  return plot;
}

CurvePlot* PlotGrid::plot(const QString& key) const {
  for (const auto& [name, plot] : m_plots) {
    if (name == key) return plot;
  }
  return nullptr;
}

void PlotGrid::setShown(const QString& key, bool shown) {
  m_shown[key] = shown;
  arrange();
}

bool PlotGrid::isShown(const QString& key) const {
  const auto found = m_shown.find(key);
  return found != m_shown.end() && found->second;
}

void PlotGrid::setAvailable(const QStringList& keys) {
  if (m_available == keys) return;
  m_available = keys;
  arrange();
}

QStringList PlotGrid::keys() const {
  QStringList all;
  for (const auto& [key, plot] : m_plots) all << key;
  return all;
}

void PlotGrid::arrange() {
  for (int i = 0; i < m_layout->rowCount(); ++i) m_layout->setRowStretch(i, 0);
  std::vector<CurvePlot*> shown;
  for (const auto& [key, plot] : m_plots) {
    m_layout->removeWidget(plot);
    const bool show = m_shown[key] && (!m_available || m_available->contains(key));
    plot->setVisible(show);
    if (show) shown.push_back(plot);
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const int row = static_cast<int>(i / 2), column = static_cast<int>(i % 2);
    const bool alone = i + 1 == shown.size() && column == 0;  // in the last row: all of it
    m_layout->addWidget(shown[i], row, column, 1, alone ? 2 : 1);
    m_layout->setRowStretch(row, 1);
  }
  m_layout->setColumnStretch(0, 1);
  m_layout->setColumnStretch(1, shown.size() > 1 ? 1 : 0);
}

void PlotGrid::setWhole(const Range& whole) {
  if (whole == m_whole) return;
  m_whole = whole;
  apply();
}

void PlotGrid::setXAxis(XAxis axis) {
  if (axis == m_axis) return;
  m_axis = axis;
  m_fitted = true;
  for (const auto& [key, plot] : m_plots) plot->setXAxis(axis);
  emit viewChanged();
}

int PlotGrid::columns() const {
  int most = 0;
  for (const auto& [key, plot] : m_plots) {
    if (plot->isVisible()) most = std::max(most, plot->columns());
  }
  return most > 0 ? most : m_columns;
}

// A hidden grid asks for nothing: how wide it will be is not known before it is shown.
void PlotGrid::lookAtWidth() {
  if (!isVisible()) return;
  m_columns = columns();
  emit viewChanged();
}

bool PlotGrid::savePng(const QString& file) const {
  constexpr qreal kScale = 2;
  QImage picture(size() * kScale, QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(kScale);
  picture.fill(Theme::tokens().surface);
  const_cast<PlotGrid*>(this)->render(&picture);
  return picture.save(file);
}

bool PlotGrid::saveSvg(const QString& file) const {
  QSvgGenerator drawing;
  drawing.setFileName(file);
  drawing.setSize(size());
  drawing.setViewBox(QRect(QPoint(), size()));
  drawing.setTitle(QStringLiteral("Roadtune Studio"));
  std::vector<const CurvePlot*> shown;
  for (const auto& [key, plot] : m_plots) {
    if (plot->isVisible()) shown.push_back(plot);
  }
  return CurvePlot::draw(shown, drawing);
}

void PlotGrid::fit() {
  m_fitted = true;
  apply();
  emit viewChanged();
}

void PlotGrid::zoomTo(const Range& range) {
  m_visible =
      noNarrower({std::max(range.low, m_whole.low), std::min(range.high, m_whole.high)}, leastRange(m_axis), m_whole);
  if (m_visible.size() <= 0) m_visible = m_whole;
  m_fitted = m_visible == m_whole;
  apply();
  emit viewChanged();
}

void PlotGrid::apply() {
  for (const auto& [key, plot] : m_plots) plot->setRange(visible(), m_whole);
}

bool PlotGrid::eventFilter(QObject* watched, QEvent* event) {
  const bool resized = event->type() == QEvent::Resize || event->type() == QEvent::Show;
  if (resized) m_width.start(0);
  if (resized || event->type() == QEvent::Move || event->type() == QEvent::Hide) update();  // the lines between them
  return QWidget::eventFilter(watched, event);
}

void PlotGrid::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_width.start(0);
}

void PlotGrid::paintEvent(QPaintEvent*) {
  // One-pixel separators between plots, in the gaps of the grid.
  QPainter painter(this);
  const QColor line = Theme::tokens().line;
  for (const auto& [key, plot] : m_plots) {
    if (!plot->isVisible()) continue;
    const QRect r = plot->geometry();
    if (r.right() + 2 < width()) painter.fillRect(r.right() + 1, r.top(), 1, r.height() + 1, line);
    if (r.bottom() + 2 < height()) painter.fillRect(r.left(), r.bottom() + 1, r.width(), 1, line);
  }
}

}  // namespace roadtune::widgets
