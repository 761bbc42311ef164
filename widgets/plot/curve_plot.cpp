// SPDX-License-Identifier: GPL-3.0-or-later
// The only source that sees qcustomplot.h: it costs as much to compile as three ordinary widgets.
#include "widgets/plot/curve_plot.h"

#include "widgets/common/controls.h"
#include "widgets/common/theme.h"
#include "widgets/plot/curve_colour.h"
#include "widgets/plot/plot_legend.h"
#include "widgets/plot/plot_overlay.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace roadtune::widgets {
namespace {

// Axis numbers in the words of the rest of the program.
class ValueTicker : public QCPAxisTicker {
 public:
  enum class Steps { Any, Whole };
  // The text of a number that has others beside it, so far apart and at most so large.
  using Text = std::function<QString(double value, double step, double largest)>;
  explicit ValueTicker(Text text, Steps steps = Steps::Any) : m_text(std::move(text)), m_steps(steps) {
    setTickCount(5);
  }

 protected:
  double getTickStep(const QCPRange& range) override {
    const double step = QCPAxisTicker::getTickStep(range);
    m_step = m_steps == Steps::Any ? step : std::max(1.0, std::floor(step));
    m_largest = std::max(std::abs(range.lower), std::abs(range.upper));
    return m_step;
  }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override { return m_text(tick, m_step, m_largest); }
  QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }

 private:
  Text m_text;
  Steps m_steps;
  double m_step = 1, m_largest = 1;
};

class LogValueTicker : public QCPAxisTickerLog {
 public:
  explicit LogValueTicker(std::function<QString(double)> text) : m_text(std::move(text)) {}

 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override { return m_text(tick); }

 private:
  std::function<QString(double)> m_text;
};

// The point of a curve nearest to x: nothing further than half a sample, or `reach`, before its first and behind its
// last point, where it says nothing.
std::optional<std::size_t> pointNear(const CurveData& curve, double x, double reach) {
  const std::size_t count = curve.x.size();
  if (count == 0) return {};
  const auto half = [&](std::size_t at) { return count < 2 ? 0 : (curve.x[at + 1] - curve.x[at]) / 2; };
  if (x < curve.x.front() - std::max(reach, half(0)) || x > curve.x.back() + std::max(reach, half(count - 2)))
    return {};
  auto at = std::lower_bound(curve.x.begin(), curve.x.end(), x);
  if (at == curve.x.end()) --at;
  if (at != curve.x.begin() && std::abs(*(at - 1) - x) < std::abs(*at - x)) --at;
  return static_cast<std::size_t>(at - curve.x.begin());
}

constexpr double kMarkSize = 7;
constexpr double kEdge = 4;       // pixels around the data, so that points at its ends are whole
constexpr double kSameLine = 12;  // pixels along a line in which its points are one place to the eye

QVector<double> toQt(const std::vector<double>& values) { return {values.begin(), values.end()}; }

}  // namespace

CurvePlot::CurvePlot(const QString& title, ValueKind kind, QWidget* parent)
    : QWidget(parent),
      m_title(title),
      m_kind(kind),
      m_legend(new PlotLegend(title)),
      m_plot(new QCustomPlot),
      m_overlay(new PlotOverlay(m_plot)) {
  setMinimumSize(240, 140);
  setAccessibleName(title);
  m_overlay->setAccessibleName(title);
  m_overlay->setObjectName(QStringLiteral("plotCanvas"));
  auto* layout = column(this, 0);
  layout->setContentsMargins(12, 4, 12, 4);
  layout->addWidget(m_legend);
  layout->addWidget(m_plot, 1);
  m_plot->setNoAntialiasingOnDrag(true);
  m_plot->plotLayout()->setMargins(QMargins());
  m_plot->axisRect()->setMinimumMargins(QMargins(48, 10, 8, 20));
  m_plot->axisRect()->setAutoMargins(QCP::msNone);
  m_plot->axisRect()->setMargins(QMargins(56, 10, 8, 20));
  m_plot->xAxis->grid()->setVisible(false);
  m_plot->yAxis->grid()->setZeroLinePen(Qt::NoPen);
  for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
    axis->setTickLengthIn(0);
    axis->setTickLengthOut(axis == m_plot->xAxis ? 3 : 0);
    axis->setSubTicks(false);
  }
  m_plot->yAxis->setBasePen(Qt::NoPen);
  setXAxis(m_axis);
  setLogY(false);
  connectOverlay();
  applyTheme();
}

CurvePlot::~CurvePlot() = default;

void CurvePlot::connectOverlay() {
  connect(m_overlay, &PlotOverlay::hovered, this, [this](double pixel) {
    showCrosshair(placeAt(pixel));
    emit crosshairMoved(placeAt(pixel));
  });
  connect(m_overlay, &PlotOverlay::left, this, [this] {
    hideCrosshair();
    emit crosshairLeft();
  });
  connect(m_overlay, &PlotOverlay::boxZoomed, this, [this](double from, double to) {
    emit rangeRequested({placeAt(from), placeAt(to)});
  });
  connect(m_overlay, &PlotOverlay::wheelZoomed, this, [this](double pixel, double factor) {
    emit rangeRequested(zoomed(m_visible, placeAt(pixel), factor, leastRange(m_axis), m_whole));
  });
  connect(m_overlay, &PlotOverlay::panned, this,
          [this](double pixels) { emit rangeRequested(shifted(m_visible, toX(0) - toX(pixels), m_whole)); });
  connect(m_overlay, &PlotOverlay::fitRequested, this, &CurvePlot::fitRequested);
  connect(m_overlay, &PlotOverlay::menuRequested, this, &CurvePlot::menuRequested);
  connect(m_overlay, &PlotOverlay::clicked, this, [this](double pixel) { emit clicked(placeAt(pixel)); });
  connect(m_overlay, &PlotOverlay::clickTakenBack, this, &CurvePlot::clickTakenBack);
  connect(m_overlay, &PlotOverlay::keyMoved, this, [this](int steps) {
    const double pixel = toPixel(m_cross.value_or((m_visible.low + m_visible.high) / 2)) + steps * 2;
    showCrosshair(placeAt(pixel));
    emit crosshairMoved(placeAt(pixel));
  });
}

void CurvePlot::setXAxis(XAxis axis) {
  m_axis = axis;
  const auto ticker = QSharedPointer<ValueTicker>::create([axis](double x, double, double) { return xText(x, axis); },
                                                          ValueTicker::Steps::Whole);
  if (axis != XAxis::Time) ticker->setTickStepStrategy(QCPAxisTicker::tssReadability);
  m_plot->xAxis->setTicker(ticker);
}

void CurvePlot::setLogY(bool on) {
  m_logY = on;
  const ValueKind kind = m_kind;
  m_plot->yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  if (on) {
    m_plot->yAxis->setTicker(
        QSharedPointer<LogValueTicker>::create([kind](double value) { return valueText(value, kind); }));
  } else {
    m_plot->yAxis->setTicker(QSharedPointer<ValueTicker>::create(
        [kind](double value, double step, double largest) { return axisText(value, kind, step, largest); }));
  }
  if (!m_curves.empty()) redraw();
}

void CurvePlot::setOutliers(Outliers outliers) {
  m_outliers = outliers;
  if (!m_curves.empty()) redraw();
}

void CurvePlot::setRange(const Range& visible, const Range& whole) {
  m_whole = whole;
  if (visible == m_visible) return;
  m_visible = visible;
  fitX();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
  if (m_cross) showCrosshair(*m_cross);
}

void CurvePlot::setCurves(const std::vector<CurveSpec>& specs, std::vector<CurveData> curves) {
  m_specs = specs;
  m_curves = std::move(curves);
  const bool empty = std::ranges::none_of(
      m_curves, [](const CurveData& curve) { return curve.known || !curve.x.empty() || !curve.marks.empty(); });
  for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) axis->setVisible(!empty);
  m_overlay->setSentence(empty ? tr("No values.") : QString());
  redraw();
}

// A pen of one pixel of the device is drawn a hundred times as fast as any other, so it is that where it can be.
QPen CurvePlot::linePen(const QColor& colour, double pixelRatio) {
  QPen pen(colour, 1);
  pen.setCosmetic(pixelRatio <= 1);
  return pen;
}

void CurvePlot::redraw() {
  m_plot->clearGraphs();
  fitX();
  fitY();
  const Tokens& t = Theme::tokens();
  QVector<double> marks;
  for (std::size_t i = 0; i < m_curves.size(); ++i) {
    const CurveSpec& spec = m_specs[i];
    QCPGraph* graph = m_plot->addGraph();
    graph->setData(toQt(m_curves[i].x), toQt(m_curves[i].y), true);
    const QColor colour = seenColour(spec.colour);
    QPen pen = linePen(lineColour(spec), devicePixelRatioF());
    pen.setStyle(spec.line);
    if (!spec.faint && !pen.isCosmetic()) pen.setWidthF(1.5);
    graph->setPen(pen);
    if (spec.dots || m_curves[i].x.size() == 1) {  // a line needs two points
      graph->setLineStyle(QCPGraph::lsLine);
      graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(colour), QBrush(colour), 5));
    }
    for (const double x : m_curves[i].marks) marks.append(x);
    markOutside(m_curves[i], pen.color());
  }
  if (!marks.isEmpty()) {
    std::sort(marks.begin(), marks.end());
    QCPGraph* graph = m_plot->addGraph();
    const double floor = m_plot->yAxis->range().lower + m_plot->yAxis->range().size() * 0.03;
    graph->setData(marks, QVector<double>(marks.size(), floor), true);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangle, QPen(t.bad), QBrush(t.bad), kMarkSize));
  }
  m_plot->replot(QCustomPlot::rpQueuedReplot);
  refreshLegend(m_cross);
  if (m_cross) showCrosshair(*m_cross);
}

// An arrow at the edge for what lies beyond it, at most one in every few pixels.
void CurvePlot::markOutside(const CurveData& curve, const QColor& colour) {
  constexpr double kApart = 6;
  const QCPRange y = m_plot->yAxis->range();
  const double apart = std::abs(m_plot->xAxis->pixelToCoord(kApart) - m_plot->xAxis->pixelToCoord(0));
  QVector<double> above, below;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (curve.x[i] < m_visible.low || curve.x[i] > m_visible.high) continue;
    QVector<double>* side = curve.y[i] > y.upper ? &above : curve.y[i] < y.lower ? &below : nullptr;
    if (side && (side->isEmpty() || curve.x[i] - side->last() >= apart)) side->append(curve.x[i]);
  }
  const auto add = [&](const QVector<double>& at, double pixel, QCPScatterStyle::ScatterShape shape) {
    if (at.isEmpty()) return;
    QCPGraph* graph = m_plot->addGraph();
    graph->setData(at, QVector<double>(at.size(), m_plot->yAxis->pixelToCoord(pixel)), true);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(shape, QPen(colour), QBrush(colour), kMarkSize));
  };
  const QRect area = m_plot->axisRect()->rect();
  add(above, area.top() + kMarkSize / 2, QCPScatterStyle::ssTriangle);
  add(below, area.bottom() - kMarkSize / 2, QCPScatterStyle::ssTriangleInverted);
}

void CurvePlot::fitX() {
  const double room = kEdge * m_visible.size() / std::max(1.0, m_overlay->width() - 2 * kEdge);
  m_plot->xAxis->setRange(m_visible.low - room, m_visible.high + room);
}

void CurvePlot::fitY() {
  const auto shown = within(m_curves, m_visible);
  if (m_logY) {
    const Range y = fittedLogRange(m_specs, shown, m_outliers);
    return m_plot->yAxis->setRange(y.low, m_fixedY && m_fixedY->high > y.low ? m_fixedY->high : y.high);
  }
  const Range y = m_fixedY.value_or(fittedRange(m_specs, shown, m_fromZero, m_outliers));
  const double room = kEdge * y.size() / std::max(1.0, m_overlay->height() - 2 * kEdge);
  m_plot->yAxis->setRange(y.low - room, y.high + room);
}

// Of the cursor's place, or of the nearest one that has a value; without a cursor, the latest.
QString CurvePlot::reading(const CurveSpec& spec, const CurveData& curve, std::optional<double> at) const {
  if (!at) return curve.known ? valueText(curve.latest, m_kind) : QString();
  const auto near = pointNear(curve, *at, reach());
  if (!near) return QStringLiteral("–");
  const QString value = valueText(curve.y[*near], m_kind);
  const double x = curve.x[*near];
  if (xText(x, m_axis) == xText(*at, m_axis) || std::abs(toPixel(x) - toPixel(*at)) <= (spec.dots ? 1.5 : kSameLine))
    return value;
  return QStringLiteral("%1 (%2)").arg(value, placeText(x));
}

void CurvePlot::refreshLegend(std::optional<double> at) {
  std::vector<PlotLegend::Entry> entries;
  for (const bool faint : {false, true}) {  // the clear ones first: what does not fit is left out from the end
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
      const CurveSpec& spec = m_specs[i];
      if (spec.faint != faint || (faint && spec.name.isEmpty())) continue;
      entries.push_back({spec.name, reading(spec, m_curves[i], at), lineColour(spec), spec.line});
    }
  }
  m_legend->setEntries(std::move(entries));
}

void CurvePlot::showCrosshair(double x) {
  m_cross = x;
  std::vector<PlotOverlay::Dot> dots;
  for (std::size_t i = 0; i < m_curves.size(); ++i) {
    if (m_specs[i].faint) continue;
    if (const auto near = pointNear(m_curves[i], x, reach())) {
      dots.push_back({toPixel(m_curves[i].x[*near]), m_plot->yAxis->coordToPixel(m_curves[i].y[*near]) - m_overlay->y(),
                      seenColour(m_specs[i].colour)});
    }
  }
  m_overlay->setCrosshair(toPixel(x), dots, place());
  refreshLegend(x);
}

QString CurvePlot::place() const { return m_cross ? placeText(*m_cross) : QString(); }

QString CurvePlot::placeText(double x) const {
  const QString at = xText(x, m_axis);
  return m_axis == XAxis::Step ? tr("step %1").arg(at) : m_axis == XAxis::Samples ? tr("%1 samples").arg(at) : at;
}

QString CurvePlot::readings() const {
  QStringList parts{m_title, place(), m_legend->accessibleDescription()};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

void CurvePlot::hideCrosshair() {
  m_cross.reset();
  m_overlay->clearCrosshair();
  refreshLegend({});
}

double CurvePlot::toX(double pixel) const { return m_plot->xAxis->pixelToCoord(pixel + m_overlay->x()); }
double CurvePlot::placeAt(double pixel) const { return std::clamp(toX(pixel), m_visible.low, m_visible.high); }
double CurvePlot::toPixel(double x) const { return m_plot->xAxis->coordToPixel(x) - m_overlay->x(); }

// How far from a curve's end the cursor still means it.
double CurvePlot::reach() const { return std::abs(toX(1.5) - toX(0)); }

int CurvePlot::columns() const { return std::max(16, m_overlay->width()); }
QWidget* CurvePlot::canvas() const { return m_overlay; }

bool CurvePlot::draw(const std::vector<const CurvePlot*>& plots, QPaintDevice& device) {
  QCPPainter painter;
  if (!painter.begin(&device)) return false;
  painter.setMode(QCPPainter::pmVectorized);
  for (const CurvePlot* one : plots) {
    painter.save();
    painter.translate(one->pos());
    painter.setFont(strongFont());
    painter.setPen(Theme::tokens().text);
    painter.drawText(QRect(one->m_legend->pos() + QPoint(0, 0), one->m_legend->size()),
                     int(Qt::AlignLeft | Qt::AlignVCenter), one->m_title);
    painter.translate(one->m_plot->pos());
    one->m_plot->toPainter(&painter, one->m_plot->width(), one->m_plot->height());
    painter.restore();
  }
  return painter.end();
}

void CurvePlot::placeOverlay() {
  const QMargins margins = m_plot->axisRect()->margins();
  const QRect place = m_plot->rect().marginsRemoved(margins);
  if (place == m_overlay->geometry()) return;
  m_overlay->setGeometry(place);
  fitX();
  fitY();
  m_plot->replot(QCustomPlot::rpQueuedReplot);  // drawn with the room of the old size already
}

void CurvePlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layout()->activate();
  placeOverlay();
}

void CurvePlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && m_plot) applyTheme();
  QWidget::changeEvent(event);
}

bool CurvePlot::event(QEvent* event) {
  if (event->type() == QEvent::ScreenChangeInternal && m_plot) redraw();  // which may have finer pixels
  return QWidget::event(event);
}

void CurvePlot::applyTheme() {
  const Tokens& t = Theme::tokens();
  m_plot->setBackground(QBrush(t.surface));
  m_plot->yAxis->grid()->setPen(QPen(mixed(t.surface, t.line, 0.7), 1));
  m_plot->xAxis->setBasePen(QPen(t.line, 1));
  m_plot->xAxis->setTickPen(QPen(t.line, 1));
  m_plot->yAxis->setTickPen(Qt::NoPen);
  for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
    axis->setTickLabelFont(secondaryFont());
    axis->setTickLabelColor(t.secondary);
  }
  redraw();
}

}  // namespace roadtune::widgets
