// SPDX-License-Identifier: GPL-3.0-or-later
// Proving a run before it starts: the part of TrainController that deals with dry runs.
#include "app/studio/host_questions.h"
#include "app/studio/source_preparation.h"
#include "app/studio/train_controller.h"
#include "app/studio/train_sync.h"
#include "remote/launch/dry_run.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/dry_run_panel.h"
#include "widgets/panels/train/train_page.h"
#include "widgets/panels/train/where_panel.h"

#include <QCoreApplication>

namespace roadtune::studio {

using Proofs = std::vector<runs::ProofInfo>;

TrainController::~TrainController() {
  *m_endDryRun = true;
  *m_leaves = true;
  keepDraft();
}

void TrainController::dryRun() {
  if (!prepareStart()) return;
  m_page->notice()->clear();
  auto* panel = m_page->cost()->dryRun();
  const QStringList machines = hosts();
  panel->begin(machines.isEmpty() ? tr("this machine") : machines.join(QStringLiteral(", ")));
  m_page->cost()->showDryRun();
  m_endDryRun = std::make_shared<std::atomic<bool>>(false);
  m_page->cost()->setProving(true);
  remote::LaunchRequest request;
  request.document = m_document.document();
  request.commandLine = {"roadtune", "train", m_document.document().path().string(), "--dry-run"};
  StripProgress* shown = showProgress(tr("Dry run"));
  const auto tell = [target = QPointer(panel)](const Proofs& proofs) {
    QMetaObject::invokeMethod(
        qApp,
        [target, proofs] {
          if (target) target->setProofs(proofs);
        },
        Qt::QueuedConnection);
  };
  m_launch.run(
      this,
      [request, tell, ended = m_endDryRun, prompts = m_questions->asking(), progress = shown,
       copies = m_page->where()->copies()]() -> Result<Proofs> {
        ROADTUNE_TRY(const remote::LaunchPlan run, remote::planLaunch(request));
        ROADTUNE_TRY(const remote::LaunchPlan plan, remote::planDryRun(request, run));
        EndableProgress preparing(progress, ended);
        ROADTUNE_CHECK(prepareSources(run.config, run.folder, !run.hosts.empty(), preparing));
        if (copies && !plan.hosts.empty()) ROADTUNE_CHECK(copyMissing(plan, prompts, progress));
        ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(prompts));
        std::size_t told = 0;
        return remote::dryRun(plan, access, progress, [&](const runs::RunStore& store) {
          if (store.proofs().size() != told) tell(store.proofs());
          told = store.proofs().size();
          return !*ended;
        });
      },
      [this, panel](const Result<Proofs>& proofs) {
        m_progress.reset();
        if (proofs.ok()) {
          panel->setProofs(proofs.value());
          panel->finish({});
        } else if (proofs.error().kind == ErrorKind::Cancelled) {
          panel->clear();
        } else {
          panel->finish(tr("Something stands in the way; the message above says what."));
          tellOfStart(proofs.error());
        }
        m_page->cost()->setProving(false);
      });
}

}  // namespace roadtune::studio
