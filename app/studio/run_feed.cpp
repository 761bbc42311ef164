// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/run_feed.h"

#include "app/studio/step_work.h"
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/runs/end_words.h"
#include "core/runs/run_csv.h"
#include "widgets/common/tokens.h"
#include "widgets/common/told_words.h"
#include "widgets/models/plain_places.h"

#include <QTimer>

#include <algorithm>
#include <array>
#include <utility>

namespace roadtune::studio {
namespace {

constexpr double kDiagnosisSeconds = 2;    // between two looks at what is wrong
constexpr int kLiveMs = 150;               // a running run is looked at so often: what follows costs little of a core
constexpr int kQuietMs = 1000;             // one that is over, once
constexpr int kReadingMs = 50;             // between two pictures while a long run is read
constexpr std::size_t kSlice = 8'000'000;  // bytes read between two pictures

// Beside other runs the colour of a curve says whose it is, and nothing else; which one of its run, its dashes and its
// name. A plot that shows one run alone needs no name of it.
void wearRun(std::vector<widgets::CurveSpec>& specs, const QString& run, const QColor& colour) {
  static constexpr std::array kDashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};
  std::size_t line = 0;
  for (widgets::CurveSpec& spec : specs) {
    spec.colour = colour;
    if (spec.faint) {
      spec.name.clear();
      continue;
    }
    if (!run.isEmpty()) spec.name = line == 0 ? run : run + QStringLiteral(" ") + spec.name;
    spec.line = kDashes[line++ % kDashes.size()];
  }
}

}  // namespace

RunFeed::RunFeed(QObject* parent) : QObject(parent), m_timer(new QTimer(this)) {
  m_timer->setSingleShot(true);
  connect(m_timer, &QTimer::timeout, this, &RunFeed::tick);
}

RunFeed::~RunFeed() = default;

void RunFeed::open(const QString& folder) {
  m_folder = folder;
  m_store.reset();
  m_builder = {};
  m_published = 0;
  m_publishedState = -1;
  m_verdicts.clear();
  m_diagnosed = 0;
  m_dirty = true;
  m_timer->stop();
  if (folder.isEmpty()) return;
  auto store = runs::RunStore::open(folder.toStdString());
  if (!store.ok()) return fail(folder, store.error());
  m_store.emplace(std::move(store).value());
  tick();
}

void RunFeed::setRequest(const widgets::PlotRequest& request) {
  if (request == m_request) return;
  m_request = request;
  m_dirty = true;
  if (m_store) m_timer->start(0);
}

void RunFeed::fail(const QString& folder, const Error& error) {
  auto frame = std::make_shared<widgets::RunFrame>();
  frame->folder = folder;
  frame->error = QString::fromStdString(error.text());
  emit frameReady(frame);
}

void RunFeed::describeStep(qint64 step) {
  if (m_store) emit stepReady(stepFactsOf(*m_store, step));
}

void RunFeed::describePlace(double x) {
  if (!m_store) return;
  const auto step = std::llround(m_builder.stepAt(*m_store, m_request.axis, x));
  auto facts = std::make_shared<widgets::StepFacts>(*stepFactsOf(*m_store, step));
  facts->place = x;
  emit stepReady(facts);
}

void RunFeed::exportCsv(const QString& file) {
  if (!m_store) return;
  const Status written = writeFileAtomically(file.toStdString(), runs::toCsv(*m_store));
  emit exported(file, written.ok() ? QString() : widgets::errorText(written.error()));
}

void RunFeed::refreshBeside() {
  std::erase_if(m_beside, [this](const auto& one) { return !m_request.beside.contains(one.first); });
  for (const QString& folder : m_request.beside) {
    Beside& one = m_beside[folder];
    if (!one.store) {
      auto store = runs::RunStore::open(folder.toStdString());
      if (!store.ok()) continue;
      one.store.emplace(std::move(store).value());
    }
    const auto before = one.store->revision();
    if (one.store->refresh(kSlice).ok() && one.store->revision() != before) m_dirty = true;
  }
}

void RunFeed::addBeside(widgets::RunFrame& frame) {
  widgets::Range whole = frame.whole;
  for (const QString& folder : m_request.beside) {
    Beside& one = m_beside[folder];
    if (!one.store) continue;
    const auto other = one.builder.build(*one.store, m_request);
    whole = {std::min(whole.low, other->whole.low), std::max(whole.high, other->whole.high)};
  }
  if (m_request.beside.isEmpty()) return;
  const auto colourAt = [this](qsizetype at) {
    return widgets::seriesColour(static_cast<std::size_t>(m_request.colours.value(at, static_cast<int>(at))));
  };
  for (auto& [key, plot] : frame.plots)
    wearRun(plot.specs, widgets::comparedPlots().contains(key) ? frame.name : QString(), colourAt(0));
  widgets::PlotRequest request = m_request;
  if (request.fitted) request.visible = whole;
  request.fitted = false;
  qsizetype colour = 1;
  for (const QString& folder : m_request.beside) {
    Beside& one = m_beside[folder];
    const QColor own = colourAt(colour++);
    if (!one.store) continue;
    const auto other = one.builder.build(*one.store, request);
    const auto differences = runs::compareSettings({frame.config.toStdString(), m_store->folder()},
                                                   {other->config.toStdString(), one.store->folder()});
    frame.besideDifferences.emplace_back(other->name, differences);
    for (const QString& key : widgets::comparedPlots()) {
      const auto found = other->plots.find(key);
      if (found == other->plots.end()) continue;
      std::vector<widgets::CurveSpec> specs = found->second.specs;
      wearRun(specs, other->name, own);
      widgets::PlotCurves& plot = frame.plots[key];
      plot.specs.insert(plot.specs.end(), specs.begin(), specs.end());
      plot.curves.insert(plot.curves.end(), found->second.curves.begin(), found->second.curves.end());
    }
  }
  frame.whole = whole;
}

bool RunFeed::isDue() const { return monotonicSeconds() - m_diagnosed > kDiagnosisSeconds; }

void RunFeed::diagnose() {
  m_diagnosed = monotonicSeconds();
  m_verdicts.clear();
  if (m_store->foreign()) return;
  m_verdicts = runs::diagnose(*m_store).verdicts;
  const int processes = FrameBuilder::processesOf(*m_store);
  for (runs::Verdict& verdict : m_verdicts) {
    if (verdict.ending) verdict.evidence = runs::plainEnd(verdict.evidence, processes);
    for (std::string* told : {&verdict.title, &verdict.evidence})
      *told = widgets::plainPlaces(*told, m_store->processes());
  }
}

void RunFeed::tick() {
  if (!m_store) return;
  refreshBeside();
  const auto read = m_store->refresh(kSlice);
  if (!read.ok()) {
    fail(m_folder, read.error());
    m_timer->start(kQuietMs);
    return;
  }
  const int state = static_cast<int>(m_store->state());
  const auto asOf = m_store->asOf();
  if (m_dirty || m_store->revision() != m_published || state != m_publishedState || asOf != m_publishedAsOf ||
      (m_undiagnosed && isDue())) {
    m_dirty = false;
    m_publishedAsOf = asOf;
    m_published = m_store->revision();
    const bool turned = std::exchange(m_publishedState, state) != state;  // its end is told at once
    auto frame = std::make_shared<widgets::RunFrame>(*m_builder.build(*m_store, m_request));
    frame->folder = m_folder;
    frame->reading = !m_store->caughtUp();
    addBeside(*frame);
    m_undiagnosed = !m_store->caughtUp() || !(turned || isDue());
    if (!m_undiagnosed) diagnose();
    frame->verdicts = m_verdicts;
    emit frameReady(frame);
  }
  const bool live =
      state == static_cast<int>(runs::RunState::Running) || state == static_cast<int>(runs::RunState::Created);
  m_timer->start(!m_store->caughtUp() ? kReadingMs : live ? kLiveMs : kQuietMs);
}

}  // namespace roadtune::studio
