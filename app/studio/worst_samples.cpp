// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/worst_samples.h"

#include "app/studio/image_query.h"
#include "app/studio/run_index.h"
#include "core/data/query/image_losses.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/runs/run_detail.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/runs/worst_panel.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace roadtune::studio {
namespace {

using widgets::WorstSamplesPtr;
using Indices = std::vector<std::shared_ptr<const data::Index>>;
constexpr std::size_t kMostWorst = 200;
constexpr int kWorstAgainMs = 4000;

struct WorstAnswer {
  std::string stamp;
  WorstSamplesPtr samples;  // null: nothing has changed
};

QString whyNone(const QString& folder) {
  const runs::NoLossesReason reason = runs::whyNoLosses(protocol::RunLayout(folder.toStdString()));
  QStringList machines;
  for (const std::string& machine : reason.machines) machines << QString::fromStdString(machine);
  switch (reason.why) {
    case runs::NoLosses::NotKept:
      return WorstSamples::tr("This run has kept no losses of its samples. It would with record_sample_losses: true.");
    case runs::NoLosses::NotYet: return WorstSamples::tr("The losses of its samples come with the first steps.");
    case runs::NoLosses::Elsewhere: break;
  }
  return WorstSamples::tr(
             "The losses of its samples lie on %1 and are not here yet. They come when that is reached; "
             "`roadtune attach` on the run's folder brings them, too.")
      .arg(machines.join(QStringLiteral(", ")));
}

// In one of those that are open, or else in the data that the run learnt from.
void findPictures(widgets::WorstSamples& worst, const std::vector<runs::SampleSummary>& samples, const Indices& open) {
  QStringList names;
  for (const runs::SampleSummary& one : samples) names << QString::fromStdString(one.sample);
  const auto found = [&names](const auto& index) { return index ? imagesNamed(*index, names).size() : 0; };
  for (const auto& one : open)
    if (found(one) > found(worst.index)) worst.index = one;
  if (static_cast<qsizetype>(found(worst.index)) < names.size())  // another index may share an image or two
    if (const auto own = indexOfRun(worst.folder, names); found(own) > found(worst.index)) worst.index = own;
  if (!worst.index) worst.place = dataPlacesOf(worst.folder);
}

WorstAnswer readWorst(const QString& folder, const std::string& known, const Indices& open) {
  const std::string stamp = data::ledgerStamp(folder.toStdString());
  if (stamp == known) return {stamp, nullptr};
  auto worst = std::make_shared<widgets::WorstSamples>();
  worst->folder = folder;
  const auto losses = runs::readSampleLosses(protocol::RunLayout(folder.toStdString()));
  worst->failure = losses.ok() ? whyNone(folder) : widgets::errorText(losses.error());
  if (!losses.ok()) return {stamp, worst};
  std::vector<runs::SampleSummary> samples = runs::summarizeSamples(losses.value());
  worst->all = samples.size();
  samples.resize(std::min(samples.size(), kMostWorst));
  std::vector<std::optional<data::ImageId>> images(samples.size());
  if (!samples.empty()) findPictures(*worst, samples, open);
  if (worst->index) images = data::imagesOf(*worst->index, samples);
  for (std::size_t i = 0; i < samples.size(); ++i) worst->samples.push_back({std::move(samples[i]), images[i]});
  return {stamp, worst};
}

}  // namespace

WorstSamples::WorstSamples(widgets::RunsPage* page, QObject* parent) : QObject(parent), m_page(page) {
  auto* panel = page->detail()->worst();
  connect(panel, &widgets::WorstPanel::wanted, this, &WorstSamples::read);
  connect(panel, &widgets::WorstPanel::sampleChosen, this,
          [this](quint32 image) { emit sampleChosen(m_folder, image); });
  connect(panel, &widgets::WorstPanel::unknownChosen, this,
          [this](const QString& sample) { emit unknownChosen(m_folder, sample); });
  connect(panel, &widgets::WorstPanel::orderRequested, this, [this] { emit orderRequested(m_folder); });
  connect(page, &widgets::RunsPage::runSelected, this, &WorstSamples::start);
  connect(&m_again, &QTimer::timeout, this, [this, panel] {
    if (panel->isVisible() && !m_reading) read();
  });
  m_again.start(kWorstAgainMs);
}

void WorstSamples::setIndex(std::shared_ptr<const data::Index> index) {
  m_index = index;
  m_folder.clear();  // other images: everything is looked up anew
  ++m_ticket;        // also what is being read
  m_reading = false;
  m_page->detail()->worst()->clear();
  m_page->detail()->worst()->setIndex(std::move(index));
}

void WorstSamples::start() {
  m_stamp = "?";  // what was on show is gone
  m_page->detail()->worst()->clear();
  if (m_page->detail()->worst()->isVisible()) read();
}

void WorstSamples::read() {
  const QString folder = m_page->selectedRun();
  if (folder.isEmpty()) return;
  if (folder != m_folder) {
    m_stamp = "?";
    m_own.reset();
  }
  m_folder = folder;
  m_reading = true;
  m_background.run(
      this, [folder, known = m_stamp, open = Indices{m_index, m_own}] { return readWorst(folder, known, open); },
      [this, ticket = ++m_ticket](const WorstAnswer& answer) {
        if (ticket != m_ticket) return;
        m_reading = false;
        m_stamp = answer.stamp;
        if (!answer.samples) return;
        m_own = answer.samples->index;
        m_page->detail()->worst()->setSamples(answer.samples);
      });
}

}  // namespace roadtune::studio
