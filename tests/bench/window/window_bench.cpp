// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the window: everything between an event and the end of the painting that it causes, on the offscreen
// platform. The index is that of bench_data: ROADTUNE_BENCH_INDEX names one of `roadtune data synth-index`.
#include "app/studio/studio.h"
#include "core/runs/series.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/plot/curve_plot.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

namespace roadtune {
namespace {

constexpr std::int64_t kPoints = 10'000'000;

const runs::Series& tenMillionPoints() {
  static const runs::Series series = [] {
    runs::Series made;
    for (std::int64_t i = 0; i < kPoints; ++i)
      made.append({i, 0.5 * static_cast<double>(i), std::sin(1e-5 * static_cast<double>(i)) + 0.1 * ((i * 7919) % 13)});
    return made;
  }();
  return series;
}

// As the studio draws a stretch: its columns, each by first, least, greatest and last value.
widgets::CurveData curveOf(double from, double to, int columns) {
  widgets::CurveData curve;
  const double width = (to - from) / columns;
  double x = from;
  for (const runs::Column& column : tenMillionPoints().columns(runs::Axis::Step, from, to, columns)) {
    for (const double y : {column.firstValue, column.min, column.max, column.lastValue}) {
      curve.x.push_back(x);
      curve.y.push_back(y);
    }
    x += width;
  }
  return curve;
}

// One plot across a window, moved by a fiftieth of what it shows with every frame.
void panTenMillionPoints(benchmark::State& state) {
  tenMillionPoints();
  widgets::CurvePlot plot("Loss", widgets::ValueKind::Plain);
  plot.resize(1400, 400);
  plot.show();
  (void)QTest::qWaitForWindowExposed(&plot);
  const double width = double(kPoints) / double(state.range(0));
  double from = 0;
  const widgets::Range whole{0, double(kPoints)};
  for (auto _ : state) {
    from = from + width * 1.02 > double(kPoints) ? 0 : from + width * 0.02;
    plot.setRange({from, from + width}, whole);
    plot.setCurves({{"training", QColor("#0072B2")}}, {curveOf(from, from + width, plot.columns())});
    benchmark::DoNotOptimize(plot.grab());
  }
}
BENCHMARK(panTenMillionPoints)->Arg(1)->Arg(10)->Arg(1000)->Unit(benchmark::kMillisecond);

// The studio on the large index, opened once.
struct OpenStudio {
  OpenStudio() {
    studio::Options options;
    options.language = "en";
    options.theme = widgets::ThemeChoice::Light;
    options.size = QSize(1440, 900);
    options.page = "data";
    options.data = qEnvironmentVariable("ROADTUNE_BENCH_INDEX");
    studio = std::make_unique<studio::Studio>(options);
    studio->start();
    page = studio->window()->dataPage();
    opened = QTest::qWaitFor([this] { return !page->grid()->images()->empty(); }, 20'000);
    QTest::qWait(1500);  // facets and the first pictures
  }
  std::unique_ptr<studio::Studio> studio;
  widgets::DataPage* page = nullptr;
  bool opened = false;
};

std::unique_ptr<OpenStudio> openStudio;  // goes before the application

OpenStudio* opened(benchmark::State& state) {
  if (qEnvironmentVariableIsEmpty("ROADTUNE_BENCH_INDEX")) {
    state.SkipWithError("ROADTUNE_BENCH_INDEX names no index");
    return nullptr;
  }
  if (!openStudio) openStudio = std::make_unique<OpenStudio>();
  if (!openStudio->opened) state.SkipWithError("the index does not open");
  return openStudio->opened ? openStudio.get() : nullptr;
}

void scrollTheGrid(benchmark::State& state) {
  OpenStudio* on = opened(state);
  if (!on) return;
  auto* grid = on->page->grid();
  QScrollBar* bar = grid->verticalScrollBar();
  const int by = static_cast<int>(state.range(0));
  for (auto _ : state) {
    bar->setValue(bar->value() + by > bar->maximum() ? 0 : bar->value() + by);
    grid->viewport()->repaint();
    QApplication::processEvents();  // what the scrolling asked for
  }
  state.counters["images"] = double(grid->images()->size());
}
BENCHMARK(scrollTheGrid)->Arg(40)->Arg(4000)->Unit(benchmark::kMillisecond);

// The whole index put together by segment and taken apart again: two turns of the switch.
void groupTheGrid(benchmark::State& state) {
  OpenStudio* on = opened(state);
  if (!on) return;
  for (auto _ : state) {
    for (const bool grouped : {true, false}) {
      on->page->setGrouped(grouped);
      on->page->grid()->viewport()->repaint();
    }
  }
  state.counters["images"] = double(on->page->grid()->images()->size());
}
BENCHMARK(groupTheGrid)->Unit(benchmark::kMillisecond);

void nextImage(benchmark::State& state) {
  OpenStudio* on = opened(state);
  if (!on) return;
  on->page->openSample();
  auto* sample = on->page->sample();
  for (auto _ : state) {
    QTest::sendKeyEvent(QTest::Click, sample, Qt::Key_Right, QString(), Qt::NoModifier);
    sample->repaint();
  }
  on->page->closeSample();
}
BENCHMARK(nextImage)->Unit(benchmark::kMillisecond);

// Pages of this process in MB: its own, and those of files that the system may take back at any time.
double status(const char* name) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(name)) return std::stod(line.substr(line.find(':') + 1)) / 1e3;
  return 0;
}

void memoryOfALargeProject(benchmark::State& state) {
  OpenStudio* on = opened(state);
  if (!on) return;
  for (auto _ : state) {
    on->page->queryLine()->setText("any(pedestrian, h<50)");
    QTest::qWait(1000);
    on->page->queryLine()->setText(QString());
    QTest::qWait(1000);
  }
  state.counters["asked_MB"] = status("VmRSS");
  QTest::qWait(5000);  // until the index lets go of what nobody looks at
  state.counters["resident_MB"] = status("VmRSS");
  state.counters["own_MB"] = status("RssAnon");
  state.counters["files_MB"] = status("RssFile");
}
BENCHMARK(memoryOfALargeProject)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roadtune

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QTemporaryDir home;  // settings and runs of its own
  for (const char* name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) qputenv(name, home.path().toUtf8());
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("bench"));
  QApplication::setOrganizationName(QStringLiteral("roadtune-bench"));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  roadtune::openStudio.reset();
  return 0;
}
