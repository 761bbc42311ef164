// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/fleet_controller.h"

#include "remote/ssh/ssh_config.h"
#include "widgets/common/line_prompt.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/fleet/add_machine_panel.h"
#include "widgets/panels/fleet/fleet_page.h"

#include <QRegularExpression>

#include <algorithm>

namespace roadtune::studio {

using widgets::FleetMachine;
using widgets::FleetPage;

FleetController::FleetController(FleetPage* page, widgets::StatusStrip* strip, HostQuestions* questions,
                                 Settings& settings, QObject* parent)
    : QObject(parent),
      m_page(page),
      m_panel(new widgets::AddMachinePanel(page->window())),
      m_strip(strip),
      m_questions(questions),
      m_settings(settings),
      m_history(page->history()) {
  for (const auto& [name, group] : m_settings.machines())
    m_machines.push_back({.name = name, .group = group, .message = {}, .reading = {}});
  m_page->setMachines(m_machines);
  connectPage();
}

FleetController::~FleetController() {
  if (m_measuring) m_measuring->cancel();
  for (const auto& [name, watch] : m_watches) watch->worker()->requestStop();
}

void FleetController::connectPage() {
  connect(m_page, &FleetPage::checkRequested, this, [this] { check(true); });
  connect(m_page, &FleetPage::addRequested, this, &FleetController::addMachines);
  connect(m_page, &FleetPage::connectRequested, this, [this](const QString& name) {
    watch(name, m_questions->asking());
    run({name}, {}, m_questions->asking(), true);
  });
  connect(m_page, &FleetPage::groupRequested, this, &FleetController::askGroup);
  connect(m_page, &FleetPage::removeRequested, this, &FleetController::remove);
  connect(m_page, &FleetPage::shownChanged, this, &FleetController::setWatching);
  connect(&m_history, &PreflightHistory::failed, m_page->notice(),
          [this](const Error& error) { m_page->notice()->show(error); });
  connect(m_panel, &widgets::AddMachinePanel::chosen, this, &FleetController::add);
}

void FleetController::addMachines() {
  QStringList known;
  if (const auto config = remote::SshConfig::load(remote::SshConfig::defaultFile()); config.ok()) {
    for (const std::string& name : config.value().hostNames()) known << QString::fromStdString(name);
  } else {
    m_page->notice()->show(config.error());
  }
  for (const FleetMachine& machine : m_machines) known.removeAll(machine.name);
  m_panel->choose(known, groups());
}

void FleetController::add(const QStringList& names, const QString& group) {
  for (const QString& name : names) {
    const auto known = std::find_if(m_machines.begin(), m_machines.end(),
                                    [&](const FleetMachine& machine) { return machine.name == name; });
    if (known == m_machines.end()) m_machines.push_back({.name = name, .group = group, .message = {}, .reading = {}});
  }
  save();
  m_page->setMachines(m_machines);
  emit machinesChanged();
  run(names, {}, m_questions->asking(), true);
}

void FleetController::remove(const QString& name) {
  std::erase_if(m_machines, [&](const FleetMachine& machine) { return machine.name == name; });
  std::erase_if(m_matrix.machines, [&](const widgets::PreflightColumn& column) { return column.host == name; });
  if (const auto found = m_watches.find(name); found != m_watches.end()) {
    found->second->worker()->requestStop();
    // It may be in the middle of connecting: whoever waits for that is not this thread.
    m_background.run(
        this, [last = std::move(found->second)]() mutable { return last.reset(), 0; }, [](int) {});
    m_watches.erase(found);
  }
  m_matrix.together.clear();  // it was about them all
  m_means.erase(name);
  save();
  m_page->setMachines(m_machines);
  m_page->setMatrix(std::make_shared<const widgets::PreflightMatrix>(m_matrix));
  emit machinesChanged();
}

QStringList FleetController::groups() const {
  QStringList all;
  for (const FleetMachine& machine : m_machines)
    if (!machine.group.isEmpty() && !all.contains(machine.group)) all << machine.group;
  return all;
}

void FleetController::askGroup(const QString& name) {
  const auto asked = std::ranges::find(m_machines, name, &FleetMachine::name);
  if (asked == m_machines.end()) return;
  const auto note = [](const QString& group) { return group.isEmpty() ? tr("It will be in no group.") : QString(); };
  auto* prompt = m_page->ask(name, {.name = QStringLiteral("groupPrompt"),
                                    .title = tr("Group of %1").arg(name),
                                    .verb = tr("Save"),
                                    .text = asked->group,
                                    .known = groups(),
                                    .note = note});
  connect(prompt, &widgets::LinePrompt::answered, this, [this, name](const QString& group) {
    for (FleetMachine& machine : m_machines) {
      if (machine.name == name) machine.group = group;
    }
    save();
    m_page->setMachines(m_machines);
    emit machinesChanged();
  });
}

void FleetController::save() {
  QList<QPair<QString, QString>> all;
  for (const FleetMachine& machine : m_machines) all.append({machine.name, machine.group});
  m_settings.setMachines(all);
}

void FleetController::watch(const QString& name, const remote::Prompts& prompts) {
  auto& thread = m_watches[name];
  if (!thread) {
    thread = std::make_shared<Watch>("machine watch");
    connect(thread->worker(), &HostWatch::changed, this, &FleetController::takeReading);
  }
  thread->post([worker = thread->worker(), name, prompts] { worker->watch(name, prompts); });
}

void FleetController::setWatching(bool on) {
  if (on == m_watching) return;
  m_watching = on;
  for (const FleetMachine& machine : m_machines) {
    if (on)
      watch(machine.name, m_questions->quiet());
    else if (const auto found = m_watches.find(machine.name); found != m_watches.end())
      found->second->post([worker = found->second->worker()] { worker->pause(); });
  }
  if (on && !m_looked) check(false);
}

void FleetController::takeReading(const QString& host, widgets::MachineState state, const QString& message,
                                  const widgets::MachineReadingPtr& reading) {
  for (FleetMachine& machine : m_machines) {
    if (machine.name != host) continue;
    machine.state = state;
    machine.message = message;
    machine.reading = reading;
    m_page->setMachine(machine);
  }
}

void FleetController::checkHere() { run({}, {}, {}, false); }

void FleetController::check(bool asking) {
  QStringList names;
  for (const FleetMachine& machine : m_machines) names << machine.name;
  m_looked = true;
  run(names, {}, asking ? m_questions->asking() : m_questions->quiet(), asking);
}

void FleetController::checkFor(const config::RunConfig& config, const QStringList& names) {
  run(names, config, m_questions->asking(), true);
}

void FleetController::run(const QStringList& names, const std::optional<config::RunConfig>& config,
                          const remote::Prompts& prompts, bool asking) {
  if (m_measuring) m_measuring->cancel();  // the newest request wins
  ++m_checks;
  m_page->setChecking(true);
  // What every start looks at by itself writes nothing.
  const auto probe = asking || m_looked ? remote::DiskProbe::Write : remote::DiskProbe::LookOnly;
  m_background.run(
      this, [names, config, prompts, probe] { return checkMachines(names, config, prompts, probe); },
      [this, names, config, asking](PreflightResult result) {
        const bool several = result.reached.size() > 1;
        if (several && !asking) result.matrix.together.push_back(linksNotMeasured());
        const bool compared = asking && !result.reached.isEmpty() && (several || config);
        take(result, compared || several);
        if (asking || !names.isEmpty()) m_history.keep(result.matrix);
        for (const QString& name : names) {
          const auto known = std::find_if(m_machines.begin(), m_machines.end(),
                                          [&](const FleetMachine& machine) { return machine.name == name; });
          if (asking && m_watching && known != m_machines.end()) watch(name, m_questions->quiet());
        }
        if (compared) return measure(result.reached, config);
        endCheck();
      });
}

// The matrix is on show meanwhile, and machines can be chosen.
void FleetController::measure(const QStringList& reached, const std::optional<config::RunConfig>& config) {
  if (m_measuring) m_measuring->cancel();
  auto* progress = new StripProgress(m_strip, tr("Preflight"), this);
  m_measuring = progress;
  emit checked();
  m_background.run(
      this,
      [reached, config, progress, prompts = m_questions->quiet()] {
        return checkBetween(reached, config, prompts, progress);
      },
      [this, progress](const std::vector<widgets::PreflightCheck>& checks) {
        const bool newest = m_measuring == progress;
        delete progress;
        if (newest) {
          m_matrix.together.insert(m_matrix.together.end(), checks.begin(), checks.end());
          m_page->setMatrix(std::make_shared<const widgets::PreflightMatrix>(m_matrix));
        }
        endCheck();
      });
}

void FleetController::endCheck() {
  --m_checks;
  m_page->setChecking(m_checks > 0);
  emit checked();
}

void FleetController::take(const PreflightResult& result, bool together) {
  for (const auto& [name, means] : result.means) m_means[name] = means;
  for (const widgets::PreflightColumn& column : result.matrix.machines) {
    const auto known = std::find_if(m_matrix.machines.begin(), m_matrix.machines.end(),
                                    [&](const auto& one) { return one.host == column.host; });
    if (known == m_matrix.machines.end())
      m_matrix.machines.push_back(column);
    else
      *known = column;
  }
  if (together) {
    m_matrix.together = result.matrix.together;
    m_together = result.reached;
  }
  m_page->setMatrix(std::make_shared<const widgets::PreflightMatrix>(m_matrix));
  if (m_checks > 0) m_page->setChecking(true);
}

MachineMeans FleetController::means(const QString& name) const {
  const auto found = m_means.find(name);
  return found == m_means.end() ? MachineMeans() : found->second;
}

std::vector<widgets::PreflightColumn> FleetController::columns(const QStringList& names) const {
  std::vector<widgets::PreflightColumn> some;
  for (const widgets::PreflightColumn& column : m_matrix.machines) {
    if (names.contains(column.host)) some.push_back(column);
  }
  return some;
}

std::vector<widgets::PreflightCheck> FleetController::between(const QStringList& names) const {
  std::vector<widgets::PreflightCheck> some;
  const auto known = [this](const QString& name) { return m_together.contains(name); };
  if (names.isEmpty() || !std::all_of(names.begin(), names.end(), known)) return some;
  for (const widgets::PreflightCheck& check : m_matrix.together) {
    // "link gpu1 → gpu2" is about two of them; what has no ends is about all that were compared.
    const QStringList ends = check.key.section(QLatin1Char(' '), 1).split(QRegularExpression(QStringLiteral(" [→↔] ")));
    const bool pair = ends.size() == 2;
    if (pair ? names.contains(ends[0]) && names.contains(ends[1]) : names.size() == m_together.size())
      some.push_back(check);
  }
  return some;
}

}  // namespace roadtune::studio
