// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/queue_feed.h"

#include "remote/queue/queue_worker.h"
#include "widgets/common/told_words.h"

#include <QTimer>

#include <algorithm>

namespace roadtune::studio {
namespace {

using widgets::QueueEntry;
constexpr int kLookMs = 1000;

QueueEntry entryOf(const remote::QueueJob& job) {
  QStringList hosts;
  for (const std::string& host : job.hosts) hosts << QString::fromStdString(host);
  const std::filesystem::path folder = job.folder;
  return {.id = job.order.id,
          .state = job.order.state,
          .name = QString::fromStdString(folder.filename().string()),
          .folder = QString::fromStdString(folder.string()),
          .where = hosts.isEmpty() ? QueueFeed::tr("this machine") : hosts.join(QStringLiteral(", ")),
          .message = widgets::queueWords(QString::fromStdString(job.message)),
          .asks = job.order.asks};
}

}  // namespace

QueueFeed::QueueFeed(QObject* parent) : QObject(parent), m_timer(new QTimer(this)) {
  m_timer->setInterval(kLookMs);
  connect(m_timer, &QTimer::timeout, this, &QueueFeed::look);
}

void QueueFeed::start() {
  m_timer->start();
  look();
}

void QueueFeed::lookNow() {
  m_last.reset();
  look();
}

void QueueFeed::look() {
  const remote::JobQueue queue;
  auto view = std::make_shared<widgets::QueueView>();
  const auto jobs = queue.jobs();
  if (!jobs.ok()) view->trouble = widgets::errorText(jobs.error());
  for (const remote::QueueJob& job : jobs.valueOr({})) view->entries.push_back(entryOf(job));
  view->worked = remote::QueueWorker::holder(queue).has_value();
  // A question may be answered and come again between two looks.
  const bool asks = std::any_of(view->entries.begin(), view->entries.end(), [](const auto& one) { return one.asks; });
  if (m_last && *view == *m_last && !asks) return;
  m_last = view;
  emit found(m_last);
}

}  // namespace roadtune::studio
