// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sample_visit.h"

#include "app/studio/main_window.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/sample_view.h"

#include <QApplication>

namespace roadtune::studio {

SampleVisit::SampleVisit(MainWindow* window, QObject* parent) : QObject(parent), m_window(window) {
  connect(window->dataPage()->sample(), &widgets::SampleView::backRequested, this, &SampleVisit::goBack);
  connect(window, &MainWindow::pageChanged, this, [this](int page) {
    if (page != static_cast<int>(Page::Data)) m_from.clear();  // somebody went elsewhere
  });
}

void SampleVisit::show(quint32 image) {
  QWidget* focus = QApplication::focusWidget();
  m_window->setPage(Page::Data);
  m_window->dataPage()->showSample(image);
  m_from = focus;
}

bool SampleVisit::showOnly(const QStringList& samples) {
  const QStringList parts = samples.size() == 1 ? samples[0].split(QLatin1Char('/')) : QStringList();
  const auto index = m_window->dataPage()->index();
  const auto camera = parts.size() == 3 ? data::cameraFromName(parts[2].toStdString()) : std::nullopt;
  if (!index || !camera) return false;
  const auto image = index->find(parts[0].toStdString(), parts[1].toLongLong(), *camera);
  if (image) show(*image);
  return image.has_value();
}

void SampleVisit::goBack() {
  const QPointer<QWidget> from = m_from;
  if (!from) return;
  m_window->setPage(Page::Runs);
  if (from->isVisible()) from->setFocus();
}

}  // namespace roadtune::studio
