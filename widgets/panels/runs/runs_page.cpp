// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/runs_page.h"

#include "widgets/common/controls.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/anatomy_band.h"
#include "widgets/panels/runs/live_edit_panel.h"
#include "widgets/panels/runs/plot_bar.h"
#include "widgets/panels/runs/result_panel.h"
#include "widgets/panels/runs/run_header.h"
#include "widgets/panels/runs/verdict_line.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace roadtune::widgets {
namespace {
constexpr qsizetype kOthersShown = 5;  // plots of another program, at first
// Not every run has evaluations or cards, and not every card tells everything.
const QStringList kOnlyWithCurves{
    QStringLiteral("evaluation"),  QStringLiteral("malformed"), QStringLiteral("mfu"),    QStringLiteral("arithmetic"),
    QStringLiteral("power"),       QStringLiteral("units"),     QStringLiteral("tensor"), QStringLiteral("memory_use"),
    QStringLiteral("temperature"), QStringLiteral("clock"),     QStringLiteral("links"),  QStringLiteral("nvlink"),
    QStringLiteral("tensors")};

// How fast it goes just now says nothing of a run that is over; how it ended stands above.
std::vector<runs::Verdict> stillTrue(const RunFrame& frame) {
  std::vector<runs::Verdict> verdicts = frame.verdicts;
  if (frame.state != runs::RunState::Running)
    std::erase_if(verdicts, [](const runs::Verdict& verdict) { return verdict.id == "slower" || verdict.ending; });
  return verdicts;
}
}  // namespace

RunsPage::RunsPage(QWidget* parent)
    : QWidget(parent),
      m_model(new RunListModel(this)),
      m_proxy(new QSortFilterProxyModel(this)),
      m_outer(new QSplitter(Qt::Horizontal)),
      m_stack(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("runs"), {}, {})) {
  setObjectName(QStringLiteral("runsPage"));
  m_proxy->setSourceModel(m_model);
  m_proxy->setFilterRole(RunListModel::SearchRole);
  m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
  auto* train = m_empty->addPrimary(tr("Set up a run"), QStringLiteral("emptyTrain"));
  auto* demo = m_empty->addSecondary(tr("Open the demo project"), QStringLiteral("emptyDemo"));
  connect(train, &QPushButton::clicked, this, &RunsPage::trainRequested);
  connect(demo, &QPushButton::clicked, this, &RunsPage::demoRequested);
  m_stack->addWidget(m_empty);
  m_stack->addWidget(makeRun());
  m_outer->setObjectName(QStringLiteral("runsOuter"));
  m_outer->addWidget(makeList());
  auto* shown = new QWidget;
  auto* side = column(shown, 0);
  side->addWidget(m_notice);
  side->addWidget(m_stack, 1);
  m_outer->addWidget(shown);
  m_outer->setStretchFactor(1, 1);
  m_outer->setSizes({280, 1000});
  m_outer->setChildrenCollapsible(false);
  auto* layout = column(this, 0);
  layout->addWidget(m_outer);
  updateEmptyState();
}

QWidget* RunsPage::makeRun() {
  auto* page = new QWidget;
  m_header = new RunHeader;
  m_notice = new NoticeBar;
  m_notice->installEventFilter(this);
  m_edit = new LiveEditPanel;
  m_result = new ResultPanel;
  m_plots = new PlotGrid;
  m_plots->setObjectName(QStringLiteral("plotGrid"));
  for (const PlotInfo& info : plotInfos()) {
    auto* plot = m_plots->add(QLatin1String(info.key),
                              new CurvePlot(QCoreApplication::translate("Plot", info.title), info.kind));
    plot->setFromZero(info.fromZero);
    if (info.percent) plot->setFixedY({0, 100});
    m_plots->setShown(QLatin1String(info.key), info.shown);
  }
  m_anatomy = new AnatomyBand;
  m_detail = new RunDetail;
  auto* upper = new QWidget;
  auto* upperLayout = column(upper, 0);
  m_plotBar = new PlotBar(m_plots);
  m_smoothing = m_plotBar->smoothing();
  m_verdict = new VerdictLine;
  upperLayout->addWidget(m_plotBar);
  upperLayout->addWidget(verticalScroll(m_plots), 1);  // one may choose many
  upperLayout->addWidget(m_anatomy);
  upperLayout->addWidget(m_verdict);
  m_inner = new QSplitter(Qt::Vertical);
  m_inner->setObjectName(QStringLiteral("runsInner"));
  m_inner->addWidget(upper);
  m_inner->addWidget(m_detail);
  m_inner->setStretchFactor(0, 3);
  m_inner->setStretchFactor(1, 1);
  m_inner->setSizes({560, 200});
  m_inner->setChildrenCollapsible(false);
  auto* layout = column(page, 0);
  layout->addWidget(m_header);
  layout->addWidget(m_edit);
  layout->addWidget(m_result);
  layout->addWidget(m_inner, 1);
  connectRun();
  return page;
}

void RunsPage::connectRun() {
  connect(m_header, &RunHeader::saveRequested, this, [this] { emit saveRequested(m_selected); });
  connect(m_header, &RunHeader::evaluateRequested, this, [this] { emit evaluateRequested(m_selected); });
  connect(m_header, &RunHeader::resumeRequested, this, [this] { emit resumeRequested(m_selected); });
  connect(m_header, &RunHeader::restartRequested, this, [this] { emit restartRequested(m_selected); });
  connect(m_header, &RunHeader::editRequested, m_edit, &LiveEditPanel::open);
  connect(m_header, &RunHeader::resultRequested, this,
          [this](RunResult kind) { emit resultRequested(kind, m_selected); });
  connect(m_edit, &LiveEditPanel::applied, this,
          [this](const protocol::LiveEdit& edit) { emit editRequested(m_selected, edit); });
  connect(m_header, &RunHeader::branchRequested, this,
          [this](const QString& checkpoint) { emit branchRequested(m_selected, checkpoint); });
  connect(m_header, &RunHeader::weightsRequested, this,
          [this](const QString& checkpoint) { emit weightsRequested(m_selected, checkpoint); });
  connectClicks();
  connect(m_detail, &RunDetail::imagesRequested, this, &RunsPage::imagesRequested);
  connect(m_detail, &RunDetail::stepChosen, this, [this](std::int64_t step) { emit stepRequested(step); });
  connect(m_header, &RunHeader::pauseRequested, this, [this](bool pause) { emit pauseRequested(m_selected, pause); });
  connect(m_header, &RunHeader::stopRequested, this, [this](bool now) { emit stopRequested(m_selected, now); });
  connect(m_header, &RunHeader::openFolderRequested, this, [this] { emit openFolderRequested(m_selected); });
  connect(m_plots, &PlotGrid::viewChanged, this, &RunsPage::requestChanged);
  connect(m_plotBar, &PlotBar::smoothingChanged, this, &RunsPage::requestChanged);
  connect(m_detail, &RunDetail::logRankChosen, this, [this](int rank) {
    m_logRank = rank;
    emit requestChanged();
  });
}

// A click tells its step at once; a double click shows the whole run and leaves the step as it was.
void RunsPage::connectClicks() {
  connect(m_plots, &PlotGrid::clicked, this, [this](double x) {
    m_clickedAt = x;
    m_clickTakenBack = false;
    m_beforeClick = m_detail->look();
    emit placeRequested(x);
  });
  connect(m_plots, &PlotGrid::clickTakenBack, this, [this] {
    m_clickTakenBack = true;
    m_detail->setLook(m_beforeClick);
  });
}

void RunsPage::setStep(const StepFacts& facts) {
  if (facts.folder != m_selected || (m_clickTakenBack && facts.place == m_clickedAt)) return;
  m_detail->setStep(facts);
}

PlotRequest RunsPage::request() const {
  PlotRequest request;
  request.axis = m_plots->xAxis();
  request.visible = m_plots->visible();
  request.fitted = m_plots->fitted();
  request.columns = m_plots->columns();
  request.smoothing = PlotBar::weightOf(m_smoothing->value());
  request.logRank = m_logRank;
  request.beside = m_beside;
  request.colours = m_model->besideColours();
  return request;
}

void RunsPage::selectRun(const QString& folder) {
  if (folder == m_selected || folder.isEmpty()) return;
  m_selected = m_cursor = folder;
  m_logRank = 0;
  m_beside.removeAll(folder);
  m_model->setBeside(folder, m_beside);
  m_detail->clearStep();
  m_edit->close();
  m_result->hide();
  m_notice->clear();
  m_unreadable.clear();
  m_plots->fit();
  const int at = m_model->rowOf(folder);
  m_header->expect(at < 0 ? folder.section(QLatin1Char('/'), -1) : m_model->index(at).data().toString());
  placeCursor();
  updateEmptyState();
  emit runSelected(folder);
}

void RunsPage::setFrame(const RunFramePtr& frame) {
  if (!frame || frame->folder != m_selected) return;
  if (!frame->error.isEmpty()) {
    if (m_framed == m_selected) return m_notice->show(NoticeBar::Kind::Bad, frame->error, frame->error);
    m_unreadable = frame->error;  // nothing of the run that was on show before stands under this one's name
    return updateEmptyState();
  }
  m_framed = m_selected;
  if (!std::exchange(m_unreadable, {}).isEmpty()) updateEmptyState();
  m_header->setFrame(*frame);
  m_edit->setConfig(frame->config);
  if (frame->state != runs::RunState::Running) m_edit->close();
  m_anatomy->setAnatomy(frame->anatomy);
  m_verdict->setVerdicts(stillTrue(*frame));
  m_detail->setFrame(*frame);
  // An answer to an older question must not undo a zoom; the next answer is on its way.
  if (frame->request.axis != m_plots->xAxis()) return;
  m_plots->setWhole(frame->whole);
  choosePlots(*frame);
  for (const auto& [key, curves] : frame->plots) {
    if (CurvePlot* plot = m_plots->plot(key)) plot->setCurves(curves.specs, curves.curves);
  }
}

// A run of another program has curves of its own and lacks some of ours: no empty plots for those.
void RunsPage::choosePlots(const RunFrame& frame) {
  for (const auto& [key, title] : frame.others) {
    if (m_plots->plot(key)) continue;
    m_plots->add(key, new CurvePlot(title, ValueKind::Plain));
    m_plots->setShown(key, m_plots->keys().size() - static_cast<qsizetype>(plotInfos().size()) <= kOthersShown);
    m_plots->plot(key)->setXAxis(m_plots->xAxis());
    m_plotBar->addPlot(key, title);
  }
  QStringList available;
  for (const QString& key : m_plots->keys()) {
    const auto plot = frame.plots.find(key);
    if (plot == frame.plots.end()) continue;
    const bool always = !frame.foreign && !kOnlyWithCurves.contains(key);
    if (always || !plot->second.curves.empty()) available << key;
  }
  m_plots->setAvailable(available);
}

void RunsPage::updateEmptyState() {
  const bool any = m_model->rowCount() > 0;
  m_stack->setCurrentIndex(m_selected.isEmpty() || !m_unreadable.isEmpty() ? 0 : 1);
  if (!m_unreadable.isEmpty()) {
    m_empty->setTexts(tr("This run cannot be read"), m_unreadable);
  } else if (any) {
    m_empty->setTexts(tr("No run selected"), tr("Choose one at the left, or set up a new one."));
  } else {
    m_empty->setTexts(tr("No runs yet"), tr("Runs appear here as soon as they start, from this window or from a "
                                            "terminal, and stay when they are over."));
  }
}

void RunsPage::setListShown(bool shown) { m_outer->widget(0)->setVisible(shown); }
void RunsPage::setDetailShown(bool shown) { m_detail->setVisible(shown); }

}  // namespace roadtune::widgets
