// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/run_feed.h"

#include <QTimer>

namespace roadtune::studio {
namespace {

constexpr int kLiveMs = 100;           // a running run is looked at ten times a second
constexpr int kQuietMs = 1000;         // one that is over, once
constexpr int kReadingMs = 50;         // between two pictures while a long run is read
constexpr std::size_t kSlice = 8'000'000;  // bytes read between two pictures

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

void RunFeed::tick() {
  if (!m_store) return;
  const auto read = m_store->refresh(kSlice);
  if (!read.ok()) {
    fail(m_folder, read.error());
    m_timer->start(kQuietMs);
    return;
  }
  const int state = static_cast<int>(m_store->state());
  if (m_dirty || m_store->revision() != m_published || state != m_publishedState) {
    m_dirty = false;
    m_published = m_store->revision();
    m_publishedState = state;
    auto frame = std::make_shared<widgets::RunFrame>(*m_builder.build(*m_store, m_request));
    frame->folder = m_folder;
    emit frameReady(frame);
  }
  const bool live = state == static_cast<int>(runs::RunState::Running) || state == static_cast<int>(runs::RunState::Created);
  m_timer->start(!m_store->caughtUp() ? kReadingMs : live ? kLiveMs : kQuietMs);
}

}  // namespace roadtune::studio
