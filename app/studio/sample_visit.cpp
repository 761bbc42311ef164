// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sample_visit.h"

#include "app/studio/image_query.h"
#include "app/studio/main_window.h"
#include "app/studio/run_index.h"
#include "widgets/frame/status_strip.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/runs/run_detail.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/runs/step_panel.h"

#include <QApplication>
#include <QFileInfo>

#include <utility>

namespace roadtune::studio {

SampleVisit::SampleVisit(MainWindow* window, QObject* parent) : QObject(parent), m_window(window) {
  connect(window->dataPage()->sample(), &widgets::SampleView::backRequested, this, &SampleVisit::goBack);
  connect(window, &MainWindow::pageChanged, this, [this](int page) {
    if (page != static_cast<int>(Page::Data)) m_from.clear();  // somebody went elsewhere
    tell({});
  });
  connect(window->runsPage()->detail()->step(), &widgets::StepPanel::picturesWanted, this, &SampleVisit::findPictures);
  connect(window->runsPage(), &widgets::RunsPage::runSelected, this, [this] { tell({}); });
}

void SampleVisit::findPictures(const QStringList& samples) {
  const QString run = m_window->runsPage()->selectedRun();
  m_background.run(
      this, [run, samples] { return indexOfRun(run, samples); },
      [this, run](const std::shared_ptr<const data::Index>& index) {
        if (index && m_window->runsPage()->selectedRun() == run)
          m_window->runsPage()->detail()->step()->setOwnIndex(index);
      });
}

void SampleVisit::show(quint32 image) {
  QWidget* focus = QApplication::focusWidget();
  m_window->setPage(Page::Data);
  m_window->dataPage()->showSample(image);
  m_from = focus;
}

void SampleVisit::show(const QStringList& samples, const QString& run) {
  m_awaited.clear();
  const auto index = m_window->dataPage()->index();
  const auto images = index ? imagesNamed(*index, samples) : std::vector<data::ImageId>();
  if (images.empty()) return openDataOf(samples, run);
  if (samples.size() == 1) return show(images.front());
  showAll(*index, images);
}

void SampleVisit::showAll(const data::Index& index, const std::vector<data::ImageId>& images) {
  m_window->setPage(Page::Data);
  m_window->dataPage()->closeSample();
  m_window->dataPage()->focusMain();
  m_window->dataPage()->showInstead(queryOfImages(index, images), tr("These are the images of the samples."));
}

void SampleVisit::openDataOf(const QStringList& samples, const QString& run) {
  m_background.run(
      this,
      [run, samples] {
        const auto index = indexOfRun(run, samples);
        return index ? QString::fromStdString(index->folder().string()) : QString();
      },
      [this, samples](const QString& folder) {
        if (folder.isEmpty())
          return tell(
              tr("The images of these samples are in no index: the run learnt from a file, or its data is gone."));
        m_awaited = samples;
        emit openRequested(folder);
      });
}

void SampleVisit::takeIndex() {
  const QStringList samples = std::exchange(m_awaited, {});
  const auto index = m_window->dataPage()->index();
  if (samples.isEmpty() || !index) return;
  const auto images = imagesNamed(*index, samples);
  if (images.empty()) return;
  samples.size() == 1 ? show(images.front()) : showAll(*index, images);
  tell(tr("%1 is open now: the run learnt from it.")
           .arg(QFileInfo(QString::fromStdString(index->folder().string())).fileName()));
}

void SampleVisit::tell(const QString& text) {
  m_window->statusStrip()->withdraw(std::exchange(m_said, text));
  if (!text.isEmpty()) m_window->statusStrip()->setMessage(text);
}

void SampleVisit::goBack() {
  const QPointer<QWidget> from = m_from;
  if (!from) return;
  m_window->setPage(Page::Runs);
  if (from->isVisible()) from->setFocus();
}

}  // namespace roadtune::studio
