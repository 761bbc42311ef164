// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/plot_bar.h"

#include "widgets/common/controls.h"
#include "widgets/common/number_text.h"
#include "widgets/common/wrap_layout.h"
#include "widgets/panels/runs/run_frame.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

namespace roadtune::widgets {

double PlotBar::weightOf(int position) {
  // 0 .. 0.9 in steps of 0.01 up to 90, then towards 0.999.
  if (position <= 90) return position / 100.0;
  return 0.9 + 0.099 * (position - 90) / 110.0;
}

PlotBar::PlotBar(PlotGrid* plots, QWidget* parent)
    : QWidget(parent), m_plots(plots), m_smoothing(new QSlider(Qt::Horizontal)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  auto* axis = new QComboBox;
  axis->setObjectName(QStringLiteral("plotAxis"));
  axis->setAccessibleName(tr("Horizontal axis"));
  axis->addItems({tr("Over steps"), tr("Over time"), tr("Over samples")});  // as XAxis counts them
  m_smoothing->setObjectName(QStringLiteral("smoothing"));
  m_smoothing->setAccessibleName(tr("Smoothing"));
  m_smoothing->setRange(0, 200);
  m_smoothing->setValue(60);
  m_smoothing->setMinimumWidth(48);
  m_smoothing->setMaximumWidth(120);
  auto* value = secondaryLabel(fixedText(0.6, 2));
  value->setFixedWidth(36);
  auto* log = iconButton(QStringLiteral("runs"), tr("Logarithmic loss axis"), QStringLiteral("logAxis"));
  log->setText(tr("Log scale"));
  log->setToolButtonStyle(Qt::ToolButtonTextOnly);
  log->setCheckable(true);
  auto* clip = iconButton(QStringLiteral("runs"),
                          tr("Keep far outliers out of the scale; arrows at the edge show where they are"),
                          QStringLiteral("clipOutliers"));
  clip->setText(tr("Clip"));
  clip->setToolButtonStyle(Qt::ToolButtonTextOnly);
  clip->setCheckable(true);
  clip->setChecked(true);
  auto* fit =
      iconButton(QStringLiteral("fit"), tr("Show the whole run (double-click a plot)"), QStringLiteral("fitPlots"));
  auto* which = iconButton(QStringLiteral("grid"), tr("Choose plots"), QStringLiteral("choosePlots"));
  m_which = new QMenu(which);
  for (const PlotInfo& info : plotInfos())
    addPlot(QLatin1String(info.key), QCoreApplication::translate("Plot", info.title));
  which->setMenu(m_which);
  auto* layout = new WrapLayout(8, this);
  layout->setContentsMargins(12, 4, 8, 4);
  layout->addWidget(axis);
  layout->addWidget(secondaryLabel(tr("Smoothing")));
  layout->addWidget(m_smoothing);
  layout->addWidget(value);
  layout->addWidget(log);
  layout->addWidget(clip);
  layout->addStretch();
  auto* save = iconButton(QStringLiteral("save"), tr("Export this view"), QStringLiteral("exportPlots"));
  auto* kinds = new QMenu(save);
  const std::pair<const char*, QString> choices[] = {
      {"png", tr("Picture (PNG)")}, {"svg", tr("Drawing (SVG)")}, {"csv", tr("Numbers of the whole run (CSV)")}};
  for (const auto& [kind, text] : choices) {
    const QString name = QLatin1String(kind);
    kinds->addAction(text, this, [this, name] { emit exportRequested(name); })
        ->setObjectName(QStringLiteral("export_") + name);
  }
  save->setMenu(kinds);
  layout->addWidget(save);
  layout->addWidget(fit);
  layout->addWidget(which);
  connect(axis, &QComboBox::currentIndexChanged, m_plots,
          [this](int index) { m_plots->setXAxis(static_cast<XAxis>(index)); });
  connect(m_smoothing, &QSlider::valueChanged, this, [this, value](int position) {
    value->setText(fixedText(weightOf(position), position > 90 ? 3 : 2));
    emit smoothingChanged();
  });
  connect(log, &QToolButton::toggled, m_plots, [this](bool on) {
    if (CurvePlot* plot = m_plots->plot(QStringLiteral("loss"))) plot->setLogY(on);
  });
  connect(clip, &QToolButton::toggled, m_plots, [this](bool on) {
    for (const QString& key : m_plots->keys())
      m_plots->plot(key)->setOutliers(on ? Outliers::Clipped : Outliers::Shown);
  });
  connect(fit, &QToolButton::clicked, m_plots, &PlotGrid::fit);
}

void PlotBar::addPlot(const QString& key, const QString& title) {
  QAction* action = m_which->addAction(title);
  action->setCheckable(true);
  action->setChecked(m_plots->isShown(key));
  connect(action, &QAction::toggled, m_plots, [this, key](bool on) { m_plots->setShown(key, on); });
}

}  // namespace roadtune::widgets
