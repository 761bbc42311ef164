// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that start later: the part of TrainController that deals with the queue.
#include "app/studio/train_controller.h"
#include "remote/queue/variant_jobs.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/train_page.h"
#include "widgets/panels/train/variant_panel.h"
#include "widgets/panels/train/where_panel.h"

namespace roadtune::studio {
void TrainController::queueRun() { queueVariants({}); }

void TrainController::queueVariants(const QStringList& varied) {
  if (!prepareStart()) return;
  m_page->notice()->clear();
  std::vector<std::string> words;
  for (const QString& one : varied) words.push_back(one.toStdString());
  const config::Document& document = m_document.document();
  const auto file = std::filesystem::absolute(document.path());
  m_launch.run(
      this,
      [like = remote::QueueJob{.config = file.string(),
                               .text = document.text(),
                               .from = file.parent_path().string(),
                               .sync = m_page->where()->copies()},
       words] { return remote::addVariants(remote::JobQueue(), like, words); },
      [this, panel = m_page->cost()->variants(), several = !words.empty()](const auto& numbers) {
        if (numbers.ok()) {
          if (several) panel->close();
          emit runsQueued(static_cast<int>(numbers.value().size()));
        } else if (several) {
          panel->setProblem(widgets::errorText(numbers.error()));
        } else {
          m_page->notice()->show(numbers.error());
        }
      });
}

}  // namespace roadtune::studio
