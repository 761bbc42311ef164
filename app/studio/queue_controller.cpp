// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/queue_controller.h"

#include "app/studio/child_job.h"
#include "core/base/exit_code.h"
#include "remote/queue/queue_worker.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/runs/queue_panel.h"

#include <QPointer>
#include <QUndoCommand>
#include <QUndoStack>

namespace roadtune::studio {

using widgets::QueuePanel;

// What was taken out of the queue in one go. It has happened when it is recorded.
class QueueStep : public QUndoCommand {
 public:
  QueueStep(QueueController* queue, std::vector<remote::JobQueue::Removed> removed, const QString& text)
      : QUndoCommand(text), m_queue(queue), m_removed(std::make_shared<Jobs>(std::move(removed))) {}

  // The last one taken goes back first, so that each finds the place that it had.
  void undo() override {
    if (!m_queue) return;
    m_queue->change([jobs = m_removed]() -> Status {
      for (auto job = jobs->rbegin(); job != jobs->rend(); ++job) {
        ROADTUNE_TRY(job->job.order.id, remote::JobQueue().putBack(*job));
      }
      return {};
    });
  }
  void redo() override {
    if (std::exchange(m_first, false) || !m_queue) return;
    m_queue->change([jobs = m_removed]() -> Status {
      for (const auto& job : *jobs) ROADTUNE_CHECK(remote::JobQueue().remove(job.job.order.id));
      return {};
    });
  }

 private:
  using Jobs = std::vector<remote::JobQueue::Removed>;
  QPointer<QueueController> m_queue;
  std::shared_ptr<Jobs> m_removed;  // touched on the thread that changes the queue only
  bool m_first = true;
};

QueueController::QueueController(QueuePanel* panel, QUndoStack& steps, HostQuestions* questions, QObject* parent)
    : QObject(parent), m_panel(panel), m_steps(steps), m_answers(questions) {
  connect(m_feed.worker(), &QueueFeed::found, this, &QueueController::show);
  connect(panel, &QueuePanel::moveRequested, this, [this](qint64 id, int place) {
    change([id, place] { return remote::JobQueue().move(id, static_cast<std::size_t>(place)); });
  });
  connect(panel, &QueuePanel::retryRequested, this,
          [this](qint64 id) { change([id] { return remote::JobQueue().again(id); }); });
  connect(panel, &QueuePanel::answerRequested, &m_answers, &QueueAnswers::askAgain);
  connect(&m_answers, &QueueAnswers::answered, this, &QueueController::lookNow);
  connect(&m_answers, &QueueAnswers::failed, panel, &QueuePanel::setTrouble);
  connect(panel, &QueuePanel::removeRequested, this, &QueueController::remove);
  connect(panel, &QueuePanel::workRequested, this, &QueueController::work);
  connect(panel, &QueuePanel::runRequested, this, &QueueController::runRequested);
  connect(panel, &QueuePanel::trainRequested, this, &QueueController::trainRequested);
  m_feed.post([feed = m_feed.worker()] { feed->start(); });
}

QueueController::~QueueController() = default;

void QueueController::lookNow() {
  m_feed.post([feed = m_feed.worker()] { feed->lookNow(); });
}

void QueueController::show(const widgets::QueueViewPtr& view) {
  if (m_changing > 0) return;
  m_worked = view->worked;
  m_panel->setView(*view);
  for (const widgets::QueueEntry& entry : view->entries)
    if (entry.asks) return m_answers.look();
}

void QueueController::change(std::function<Status()> change, std::function<void()> done) {
  ++m_changing;
  m_background.run(this, std::move(change), [this, done = std::move(done)](const Status& status) {
    --m_changing;
    m_panel->setTrouble(status.ok() ? QString() : widgets::errorText(status.error()));
    if (done) done();
    lookNow();
  });
}

void QueueController::remove(const QList<qint64>& ids) {
  auto removed = std::make_shared<std::vector<Removed>>();
  change(
      [ids, removed]() -> Status {
        for (const qint64 id : ids) {
          ROADTUNE_TRY(Removed one, remote::JobQueue().take(id));
          removed->push_back(std::move(one));
        }
        return {};
      },
      [this, removed] {
        if (removed->empty()) return;
        const QString name =
            QString::fromStdString(std::filesystem::path(removed->front().job.folder).filename().string());
        const QString text = removed->size() == 1 ? tr("%1 is out of the queue.").arg(name)
                                                  : tr("%1 runs are out of the queue.").arg(removed->size());
        m_steps.push(new QueueStep(this, *removed, text));
        emit told(tr("%1 Ctrl+Z puts it back.").arg(text));
      });
}

void QueueController::work(bool work) {
  if (!work) return change([] { return remote::QueueWorker::rest(remote::JobQueue()); });
  if (m_starting) return;
  m_starting = new ChildJob({QStringLiteral("queue"), QStringLiteral("run"), QStringLiteral("--detach")}, this);
  connect(m_starting, &ChildJob::finished, this, [this](int exitCode) {
    m_panel->setTrouble(exitCode == kExitDone ? QString() : m_starting->message());
    m_starting->deleteLater();
    m_starting = nullptr;
    lookNow();
  });
  m_starting->start();
}

}  // namespace roadtune::studio
