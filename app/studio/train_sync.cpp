// SPDX-License-Identifier: GPL-3.0-or-later
// Model and data for machines that lack them: the part of TrainController that says how much that is.
#include "app/studio/train_sync.h"

#include "app/studio/host_questions.h"
#include "app/studio/train_controller.h"
#include "remote/launch/run_inputs.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/train/train_page.h"
#include "widgets/panels/train/where_panel.h"

namespace roadtune::studio {

namespace {

struct Compared {
  std::vector<remote::HostInputs> inputs;
  std::vector<remote::InputGroup> groups;
};

Result<Compared> compare(const config::RunConfig& config, const std::vector<std::string>& hosts,
                         const remote::HostAccess& access, ProgressSink* progress) {
  Compared found;
  ROADTUNE_TRY(found.groups, remote::runInputs(config));
  ROADTUNE_TRY(found.inputs, remote::inputsOn(hosts, found.groups, access, progress));
  return found;
}

QString wordsAbout(const Result<Compared>& compared) {
  if (!compared.ok()) return widgets::errorText(compared.error());
  QStringList lines;
  for (const auto& one : compared.value().inputs) {
    const QString host = QString::fromStdString(one.host);
    lines << (one.complete() ? widgets::WherePanel::tr("%1: nothing is missing").arg(host)
                             : QStringLiteral("%1: %2").arg(host, QString::fromStdString(one.text())));
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

Status copyMissing(const remote::LaunchPlan& plan, const remote::Prompts& prompts, ProgressSink* progress) {
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(prompts));
  ROADTUNE_TRY(const Compared found, compare(plan.config, plan.hosts, access, progress));
  return remote::copyInputs(found.inputs, found.groups, access, progress);
}

void TrainController::askMissing() {
  widgets::WherePanel* where = m_page->where();
  std::vector<std::string> machines;
  for (const QString& host : hosts()) machines.push_back(host.toStdString());
  if (!where->copies() || machines.empty()) {
    m_missingAsked.clear();
    return where->setMissing({});
  }
  const config::RunConfig config = m_document.config();
  std::vector<std::string> asked = machines;
  for (const char* key : {"model_name_or_path", "tokenizer_name_or_path", "adapter_name_or_path"})
    asked.push_back(config.text(key));
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key)) asked.push_back(source.path + "\n" + source.images);
  if (asked == m_missingAsked) return;
  m_missingAsked = asked;
  where->setMissing(widgets::WherePanel::tr("Comparing…"));
  m_compare.run(
      this,
      [config, machines, ticket = ++m_missingTicket, prompts = m_questions->asking()] {
        const auto access = remote::HostAccess::load(prompts);
        return std::pair(ticket, wordsAbout(access.ok() ? compare(config, machines, access.value(), nullptr)
                                                        : Result<Compared>(access.error())));
      },
      [this](const std::pair<std::uint64_t, QString>& answer) {
        if (answer.first == m_missingTicket && m_page->where()->copies()) m_page->where()->setMissing(answer.second);
      });
}

}  // namespace roadtune::studio
