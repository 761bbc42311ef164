// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that start later: the part of TrainController that deals with the queue.
#include "app/studio/train_controller.h"
#include "remote/launch/launch_plan.h"
#include "remote/queue/job_queue.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/train/train_page.h"
#include "widgets/panels/train/where_panel.h"

namespace roadtune::studio {
namespace {

// Everything that is wrong is said now, not at night when its turn comes.
Result<std::int64_t> queueDocument(const config::Document& document, bool copies) {
  ROADTUNE_TRY(const remote::LaunchPlan plan, remote::planLaunch({.document = document}));
  return remote::JobQueue().add({.config = std::filesystem::absolute(document.path()).string(),
                                 .text = document.text(),
                                 .hosts = plan.hosts,
                                 .sync = copies && !plan.hosts.empty(),
                                 .folder = plan.folder.string()});
}

}  // namespace

void TrainController::queueRun() {
  if (!prepareStart()) return;
  m_page->notice()->clear();
  m_launch.run(
      this,
      [document = m_document.document(), copies = m_page->where()->copies()] {
        return queueDocument(document, copies);
      },
      [this](const Result<std::int64_t>& number) {
        if (!number.ok()) return m_page->notice()->show(number.error());
        emit runQueued();
      });
}

}  // namespace roadtune::studio
