// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/frame_builder.h"

#include "app/studio/step_clock.h"
#include "core/runs/end_words.h"
#include "widgets/common/tokens.h"
#include "widgets/models/plain_places.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace roadtune::studio {
namespace {

using widgets::CurveData;
using widgets::CurveSpec;
using widgets::PlotCurves;
using widgets::Range;
using widgets::XAxis;

constexpr std::size_t kMostOthers = 40;  // curves of another program's run

struct CurveText {
  Q_DECLARE_TR_FUNCTIONS(Curve)
};

// First, least, greatest and last point, each where it is: what is drawn is a part of the curve, and nothing else.
template <class Place>
void addColumn(CurveData& curve, const runs::Series& series, const runs::Column& column, const Place& place) {
  if (column.nonFinite > 0) curve.marks.push_back(place(column.first));
  std::array<std::size_t, 4> points{column.first, column.minAt, column.maxAt, column.first + column.count - 1};
  std::ranges::sort(points);
  const auto end = std::ranges::unique(points).begin();
  for (auto at = points.begin(); at != end; ++at) {
    const double x = place(*at), y = series.values()[*at];
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    curve.x.push_back(x);
    curve.y.push_back(y);
  }
}

// The stretch to draw, and the next finite point on either side of what is on show, to which the lines lead.
template <class Place>
void addStretch(CurveData& curve, const runs::Series& series, runs::Axis axis, const Range& stretch,
                std::size_t columns, const Range& shown, const Place& place) {
  const auto isFinite = [](double value) { return std::isfinite(value); };
  const auto values = series.values();
  const auto add = [&](std::size_t at) {
    const double x = place(at);  // what came before the first step has no place of its own
    if (x < shown.low || x > shown.high) addColumn(curve, series, series.summarize(at, 1), place);
  };
  const std::size_t first = series.lowerBound(axis, stretch.low);
  const auto before = std::find_if(values.rend() - static_cast<std::ptrdiff_t>(first), values.rend(), isFinite);
  if (before != values.rend()) add(static_cast<std::size_t>(values.rend() - before) - 1);
  for (const runs::Column& column : series.columns(axis, stretch.low, stretch.high, columns))
    addColumn(curve, series, column, place);
  const std::size_t end =
      series.lowerBound(axis, std::nextafter(stretch.high, std::numeric_limits<double>::infinity()));
  const auto after = std::find_if(values.begin() + static_cast<std::ptrdiff_t>(end), values.end(), isFinite);
  if (after != values.end()) add(static_cast<std::size_t>(after - values.begin()));
}

// Names under which training programs log the same thing.
const char* lossOf(const runs::RunStore& store) {
  for (const char* name : {"train/loss", "loss", "Loss/train", "train_loss", "training/loss"})
    if (const auto* series = store.series(name); series && !series->empty()) return name;
  return "train/loss";
}

// The curve that says which step was when: the loss, else what has the most points.
const runs::Series* leadingOf(const runs::RunStore& store) {
  const runs::Series* best = store.series(lossOf(store));
  if (best && !best->empty()) return best;
  if (!store.foreign()) return best;
  for (const std::string& metric : store.metricNames())
    if (const auto* series = store.series(metric); series && (!best || series->size() > best->size())) best = series;
  return best;
}

// Wall time of the first and the last thing that is known.
Range timesOf(const runs::RunStore& store) {
  Range times{store.start() ? store.start()->time : 0, 0};
  for (const std::string& metric : store.metricNames()) {
    const runs::Series* series = store.series(metric);
    if (!series || series->empty()) continue;
    if (times.low <= 0 || series->at(0).time < times.low) times.low = series->at(0).time;
    times.high = std::max(times.high, series->last().time);
  }
  return times;
}

Range stepsOf(const runs::RunStore& store) {
  std::optional<Range> all;
  const auto add = [&](const runs::Series* series) {
    if (!series || series->empty() || series->axis() != runs::Axis::Step) return;
    const Range own{double(series->at(0).step), double(series->last().step)};
    all = all ? Range{std::min(all->low, own.low), std::max(all->high, own.high)} : own;
  };
  if (store.foreign())
    for (const std::string& metric : store.metricNames()) add(store.series(metric));
  else
    add(store.series("train/loss"));
  return all.value_or(Range{0, 1});
}

}  // namespace

// The stretch to draw, in steps, samples or seconds, and how to get from one to the other.
struct FrameBuilder::View {
  const runs::RunStore& store;
  const widgets::PlotRequest& request;
  StepClock clock;
  double begin = 0;  // wall time of second 0
  Range visible;
  const SampleCount* samples = nullptr;  // set when the axis counts them

  // From steps to places on the axis and back, where that is not time.
  double x(double step) const { return samples ? samples->at(step) : step; }
  double step(double x) const { return samples ? samples->stepAt(x) : x; }
};

const runs::Series& FrameBuilder::smoothed(const std::string& metric, const runs::Series& raw, double weight) {
  Smoothed& kept = m_smoothed[metric];
  if (kept.weight != weight || kept.generation != raw.generation() || kept.series.size() > raw.size()) {
    kept = {weight, raw.generation(), runs::Smoother(weight), runs::Series(raw.axis())};
  }
  std::vector<runs::Point> points;
  for (std::size_t i = kept.series.size(); i < raw.size(); ++i) {
    points.push_back(raw.at(i));
    points.back().value = kept.smoother.add(points.back().value);
  }
  kept.series.merge(std::move(points));
  return kept.series;
}

void FrameBuilder::addCurve(const View& view, PlotCurves& plot, const runs::Series& series, CurveSpec spec) const {
  CurveData curve;
  const auto columns = static_cast<std::size_t>(view.request.columns);
  const bool overTime = view.request.axis == XAxis::Time;
  if (overTime || series.axis() == runs::Axis::Time) {
    const double from = overTime ? view.begin + view.visible.low : view.clock.timeAt(view.step(view.visible.low));
    const double to = overTime ? view.begin + view.visible.high : view.clock.timeAt(view.step(view.visible.high));
    if (overTime || !view.clock.empty()) {
      const auto place = [&](std::size_t at) {
        const double time = series.times()[at];
        return overTime ? time - view.begin : view.x(view.clock.stepAt(time));
      };
      addStretch(curve, series, runs::Axis::Time, {from, to}, columns, view.visible, place);
    }
  } else {
    const double from = view.step(view.visible.low), to = view.step(view.visible.high);
    const auto place = [&](std::size_t at) { return view.x(static_cast<double>(series.steps()[at])); };
    addStretch(curve, series, runs::Axis::Step, {from, to}, columns, view.visible, place);
  }
  if (!series.empty()) {
    curve.latest = series.last().value;
    curve.known = true;
  }
  plot.specs.push_back(std::move(spec));
  plot.curves.push_back(std::move(curve));
}

void FrameBuilder::addPair(const View& view, PlotCurves& plot, const std::string& metric, CurveSpec spec,
                           const QString& rawName) {
  const runs::Series* raw = view.store.series(metric);
  if (!raw || raw->empty()) return;
  if (view.request.smoothing <= 0) return addCurve(view, plot, *raw, spec);
  CurveSpec faint = spec;
  faint.faint = true;
  faint.name = rawName;
  addCurve(view, plot, *raw, faint);
  addCurve(view, plot, smoothed(metric, *raw, view.request.smoothing), spec);
}

void FrameBuilder::fillPlots(const View& view, widgets::RunFrame& frame) {
  for (const widgets::PlotInfo& info : widgets::plotInfos()) frame.plots[QLatin1String(info.key)];
  const auto plot = [&frame](const char* key) -> PlotCurves& { return frame.plots[QLatin1String(key)]; };
  const bool smooth = view.request.smoothing > 0;
  addPair(view, plot("loss"), lossOf(view.store),
          {smooth ? CurveText::tr("training, smoothed") : CurveText::tr("training"), widgets::seriesColour(0)},
          CurveText::tr("each step"));
  if (const auto* eval = view.store.series("eval/loss"); eval && !eval->empty()) {
    addCurve(view, plot("loss"), *eval, {CurveText::tr("evaluation"), widgets::seriesColour(1), false, true});
  }
  addPair(view, plot("throughput"), "train/samples_per_second",
          {CurveText::tr("all processes"), widgets::seriesColour(2)});
  addPair(view, plot("tokens"), "train/tokens_per_second", {CurveText::tr("all processes"), widgets::seriesColour(2)});
  addPair(view, plot("arithmetic"), "train/tflops_per_s", {CurveText::tr("all processes"), widgets::seriesColour(6)});
  addPair(view, plot("mfu"), "train/mfu", {CurveText::tr("all processes"), widgets::seriesColour(6)});
  addPair(view, plot("grad_norm"), "train/grad_norm", {CurveText::tr("norm"), widgets::seriesColour(3)});
  addPair(view, plot("grad_norm"), "train/grad_norm_vision_tower",
          {CurveText::tr("vision tower"), widgets::seriesColour(0)});
  addPair(view, plot("grad_norm"), "train/grad_norm_projector", {CurveText::tr("projector"), widgets::seriesColour(1)});
  addPair(view, plot("grad_norm"), "train/grad_norm_language_model",
          {CurveText::tr("language model"), widgets::seriesColour(2)});
  addPair(view, plot("step_time"), "train/step_seconds", {CurveText::tr("step"), widgets::seriesColour(4)});
  if (const auto* rate = view.store.series("train/learning_rate"); rate && !rate->empty()) {
    addCurve(view, plot("learning_rate"), *rate, {CurveText::tr("base"), widgets::seriesColour(5)});
  }
  fillEvaluation(view, plot("evaluation"));
  if (const auto* pieces = view.store.series("eval/malformed"); pieces && !pieces->empty())
    addCurve(view, plot("malformed"), *pieces,
             {CurveText::tr("malformed pieces"), widgets::seriesColour(3), false, true});
  if (frame.foreign) fillOthers(view, frame);
  fillSystemPlots(view, frame);
}

// Shares, all between nothing and one.
void FrameBuilder::fillEvaluation(const View& view, PlotCurves& plot) const {
  const std::pair<const char*, QString> kinds[] = {{"eval/AP", CurveText::tr("AP")},
                                                   {"eval/AP50", CurveText::tr("AP50")},
                                                   {"eval/accuracy", CurveText::tr("exact answers")}};
  int colour = 0;
  for (const auto& [metric, title] : kinds) {
    const auto* series = view.store.series(metric);
    if (series && !series->empty()) addCurve(view, plot, *series, {title, widgets::seriesColour(colour), false, true});
    ++colour;
  }
}

// Whatever another program logged that has no plot of ours.
void FrameBuilder::fillOthers(const View& view, widgets::RunFrame& frame) {
  static const std::set<std::string> kHaveOne{
      "eval/loss",          "train/samples_per_second", "train/grad_norm", "eval/AP",
      "train/step_seconds", "train/learning_rate",      "eval/AP50",       "eval/accuracy",
      "eval/malformed"};
  const std::string loss = lossOf(view.store);
  for (const std::string& metric : view.store.metricNames()) {
    if (metric == loss || kHaveOne.contains(metric) || frame.others.size() >= kMostOthers) continue;
    const QString title = QString::fromStdString(metric), key = QStringLiteral("tag:") + title;
    frame.others.emplace_back(key, title);
    addPair(view, frame.plots[key], metric, {title, widgets::seriesColour(0)});
  }
}

namespace {

// Whose curve it is, in a run on several machines. Empty where there is one, or where its name is not known.
QString machineOf(unsigned node, const std::vector<std::string>& machines) {
  if (machines.size() < 2 || node >= machines.size()) return {};
  return QString::fromStdString(machines[node]).section(QLatin1Char('@'), -1);
}

}  // namespace

void FrameBuilder::fillSystemPlots(const View& view, widgets::RunFrame& frame) {
  static const QHash<QString, const char*> kCardPlots{{QStringLiteral("utilization"), "utilization"},
                                                      {QStringLiteral("memory_usage"), "memory"},
                                                      {QStringLiteral("power"), "power"},
                                                      {QStringLiteral("sm_active"), "units"},
                                                      {QStringLiteral("tensor_active"), "tensor"},
                                                      {QStringLiteral("dram_active"), "memory_use"},
                                                      {QStringLiteral("temp"), "temperature"},
                                                      {QStringLiteral("sm_clock"), "clock"},
                                                      {QStringLiteral("pcie_received"), "links"},
                                                      {QStringLiteral("pcie_sent"), "links"},
                                                      {QStringLiteral("nvlink_received"), "nvlink"},
                                                      {QStringLiteral("nvlink_sent"), "nvlink"}};
  const std::map<std::string, std::pair<const char*, QString>> trainer{
      {"train/memory_bytes", {"memory", CurveText::tr("trainer")}},
      {"train/tensor_peak_bytes", {"tensors", CurveText::tr("held at most")}},
      {"train/tensor_plan_bytes", {"tensors", CurveText::tr("by plan")}}};
  const auto machines = view.store.machines();
  auto metrics = view.store.metricNames();  // in the order of their names, which has the first machine behind others
  std::stable_partition(metrics.begin(), metrics.end(), [](const auto& one) { return !one.starts_with("node/"); });
  std::map<QString, std::size_t> used;
  for (const std::string& metric : metrics) {
    const QString name = QString::fromStdString(metric);
    const bool system = name.startsWith(QLatin1String("system/")) || name.contains(QLatin1String("/system/"));
    const bool gpu = name.startsWith(QLatin1String("gpu/")) || name.contains(QLatin1String("/gpu/"));
    const auto ofTrainer = trainer.find(metric);
    if (!system && !gpu && ofTrainer == trainer.end()) continue;
    const QString last = name.section(QLatin1Char('/'), -1);
    const bool other = name.startsWith(QLatin1String("node/"));
    const unsigned node = other ? name.section(QLatin1Char('/'), 1, 1).toUInt() : 0;
    const QString machine = machineOf(node, machines);
    const QString host = !machine.isEmpty() ? QLatin1Char(' ') + machine
                         : other            ? QStringLiteral(" %1").arg(node + 1)
                                            : QString();
    QString key, title;
    if (system && last == QLatin1String("cpu"))
      key = QStringLiteral("utilization"), title = CurveText::tr("CPU") + host;
    if (system && last == QLatin1String("memory"))
      key = QStringLiteral("memory"), title = machine.isEmpty() ? CurveText::tr("machine") + host : machine;
    if (ofTrainer != trainer.end()) key = QLatin1String(ofTrainer->second.first), title = ofTrainer->second.second;
    if (system && last.startsWith(QLatin1String("disk_read")))
      key = QStringLiteral("io"), title = CurveText::tr("read") + host;
    if (system && last.startsWith(QLatin1String("disk_write")))
      key = QStringLiteral("io"), title = CurveText::tr("written") + host;
    const auto ofCard = kCardPlots.constFind(last);
    if (gpu && ofCard != kCardPlots.constEnd()) {
      key = QLatin1String(*ofCard);
      title = CurveText::tr("GPU %1").arg(name.section(QLatin1Char('/'), -2, -2)) + host;
      if (last.endsWith(QLatin1String("received"))) title += QStringLiteral(" ↓");
      if (last.endsWith(QLatin1String("sent"))) title += QStringLiteral(" ↑");
    }
    const runs::Series* series = view.store.series(metric);
    if (key.isEmpty() || !series || series->empty()) continue;
    const Qt::PenStyle line = metric == "train/tensor_plan_bytes" ? Qt::DashLine : Qt::SolidLine;
    addCurve(view, frame.plots[key], *series, {title, widgets::seriesColour(used[key]++), false, false, line});
  }
}

widgets::RunFramePtr FrameBuilder::build(const runs::RunStore& store, const widgets::PlotRequest& request) {
  auto frame = std::make_shared<widgets::RunFrame>();
  frame->folder = QString::fromStdString(store.folder().string());
  frame->name = QString::fromStdString(store.displayName());
  frame->revision = store.revision();
  frame->state = store.state();
  frame->asOf = store.asOf();
  frame->foreign = store.foreign();
  frame->progress = store.progress();
  frame->anatomy = store.anatomy();
  if (runs::isOneCpuProcess(store.start())) frame->anatomy.copy = frame->anatomy.comm = std::nullopt;
  if (const auto* start = store.start()) frame->start = *start;
  if (const auto* end = store.end()) frame->end = *end;
  if (frame->end)
    frame->end->message =
        widgets::plainPlaces(runs::plainEnd(frame->end->message, processesOf(store)), store.processes());
  if (const auto* receipt = store.receipt()) frame->receipt = *receipt;
  frame->phases = store.phases();
  frame->processes = store.processes();
  frame->checkpoints = store.checkpoints();
  frame->notices = store.notices();
  for (runs::Notice& notice : frame->notices)
    for (std::string* told : {&notice.message, &notice.where}) *told = widgets::plainPlaces(*told, store.processes());
  frame->logRanks = store.logRanks();
  frame->log = store.logTail(request.logRank, 2000);
  frame->config = QString::fromStdString(store.configText());
  frame->request = request;

  const runs::Series* loss = store.series(lossOf(store));
  frame->lossPoints = loss ? loss->size() : 0;
  if (loss && !loss->empty()) frame->loss = loss->last().value;
  if (const auto* speed = store.series("train/samples_per_second"); speed && !speed->empty())
    frame->samplesPerSecond = speed->last().value;

  const auto [begin, end] = timesOf(store);
  View view{store, request, StepClock(leadingOf(store)), begin, {}, nullptr};
  m_samples.follow(store.series("train/samples"));
  if (request.axis == XAxis::Samples && !m_samples.empty()) view.samples = &m_samples;
  const Range steps = stepsOf(store);
  frame->whole = request.axis == XAxis::Time ? Range{0, std::max(1.0, end - view.begin)}
                                             : Range{view.x(steps.low), view.x(steps.high)};
  if (frame->whole.size() <= 0) frame->whole.high = frame->whole.low + 1;
  view.visible = request.fitted ? frame->whole : request.visible;
  fillPlots(view, *frame);
  return frame;
}

int FrameBuilder::processesOf(const runs::RunStore& store) {
  const int told = store.start() ? store.start()->worldSize : 1;
  return std::max(told, static_cast<int>(store.processes().size()));
}

double FrameBuilder::stepAt(const runs::RunStore& store, XAxis axis, double x) {
  if (axis == XAxis::Time) return StepClock(leadingOf(store)).stepAt(timesOf(store).low + x);
  if (axis == XAxis::Step) return x;
  m_samples.follow(store.series("train/samples"));
  return m_samples.empty() ? x : m_samples.stepAt(x);
}

}  // namespace roadtune::studio
