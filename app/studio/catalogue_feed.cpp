// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/catalogue_feed.h"

#include <QElapsedTimer>
#include <QTimer>

namespace roadtune::studio {
namespace {
constexpr int kLeastPauseMs = 1500;
}

CatalogueFeed::CatalogueFeed(QObject* parent) : QObject(parent), m_timer(new QTimer(this)) {
  m_timer->setSingleShot(true);
  connect(m_timer, &QTimer::timeout, this, &CatalogueFeed::lookNow);
}

void CatalogueFeed::setRoots(const QStringList& roots) {
  m_roots = roots;
  lookNow();
}

void CatalogueFeed::lookNow() {
  QElapsedTimer clock;
  clock.start();
  std::vector<fs::path> roots;
  for (const QString& root : m_roots) roots.emplace_back(root.toStdString());
  runs::CatalogueOptions options;
  options.stop = [this] { return m_stop.load(); };
  auto entries = std::make_shared<const std::vector<runs::RunEntry>>(runs::findRuns(roots, options));
  if (m_stop) return;
  emit found(entries);
  // A slow disk is looked at less often: the search never takes more than a tenth of the time.
  m_timer->start(std::max<int>(kLeastPauseMs, static_cast<int>(clock.elapsed()) * 10));
}

}  // namespace roadtune::studio
