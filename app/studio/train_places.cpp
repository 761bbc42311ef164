// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run goes: the part of TrainController that deals with machines.
#include "app/studio/fleet_controller.h"
#include "app/studio/train_controller.h"
#include "core/config/fleet.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/train/train_page.h"
#include "widgets/panels/train/where_panel.h"

namespace roadtune::studio {
namespace {

using widgets::PreflightCheck;
using widgets::WherePanel;

QString aboutMachine(const MachineMeans& means, bool checked) {
  if (!means.known) return checked ? WherePanel::tr("check failed") : WherePanel::tr("not checked");
  return means.gpus > 0 ? QStringLiteral("%1 × %2").arg(means.gpus).arg(means.gpuName)
                        : WherePanel::tr("no graphics card");
}

}  // namespace

void TrainController::connectWhere() {
  WherePanel* where = m_page->where();
  connect(where, &WherePanel::hostsChosen, this, &TrainController::chooseHosts);
  connect(where, &WherePanel::processesChosen, this, [this](int processes) {
    report(m_document.set(QStringLiteral("nproc_per_node"),
                          processes > 0 ? config::Value(static_cast<std::int64_t>(processes)) : config::Value()));
  });
  connect(where, &WherePanel::undecidedChanged, this, &TrainController::refreshBlocked);
  connect(where, &WherePanel::undecidedChanged, this, &TrainController::refreshFitness);
  connect(where, &WherePanel::copiesChosen, this, &TrainController::askMissing);
  connect(where, &WherePanel::addRequested, m_fleet, &FleetController::addMachines);
  connect(where, &WherePanel::checkRequested, this, [this] {
    m_fleet->checkFor(m_document.config(), hosts());
    refreshFitness();
  });
  connect(m_fleet, &FleetController::machinesChanged, this, &TrainController::refreshPlaces);
  connect(m_fleet, &FleetController::checked, this, [this] {
    refreshPlaces();
    refreshFitness();
    askEstimate();
  });
  refreshPlaces();
}

QStringList TrainController::hosts() const {
  QStringList names;
  const config::RunConfig& config = m_document.config();
  if (config.has("fleet") && !config.text("fleet").empty()) {
    if (const auto fleet = config::readFleet(config.text("fleet")); fleet.ok()) {
      for (const std::string& host : fleet.value()) names << QString::fromStdString(host);
    }
    return names;
  }
  for (const std::string& host : config.list("hosts")) names << QString::fromStdString(host);
  return names;
}

void TrainController::chooseHosts(const QStringList& hosts) {
  report(m_document.chooseHosts(hosts));
  QStringList unknown;
  for (const QString& host : hosts) {
    if (!m_fleet->means(host).known) unknown << host;
  }
  if (!unknown.isEmpty()) m_fleet->checkFor(m_document.config(), unknown);
  refreshFitness();
}

void TrainController::refreshPlaces() {
  std::vector<widgets::RunPlace> places;
  for (const widgets::FleetMachine& machine : m_fleet->machines())
    places.push_back({machine.name, machine.group,
                      aboutMachine(m_fleet->means(machine.name), !m_fleet->columns({machine.name}).empty())});
  m_page->where()->setPlaces(places);
}

void TrainController::refreshFitness() {
  WherePanel* where = m_page->where();
  if (where->undecided()) return where->setFitness(WherePanel::Fitness::Unknown, {}, {});
  QStringList names = hosts();
  if (names.isEmpty()) names << widgets::kThisMachine;
  const auto columns = m_fleet->columns(names);
  if (static_cast<qsizetype>(columns.size()) < names.size()) {
    if (m_fleet->checking()) return where->setFitness(WherePanel::Fitness::Checking, tr("Checking…"), {});
    return where->setFitness(WherePanel::Fitness::Unknown, tr("Not checked yet"), {});
  }
  int bad = 0, warned = 0;
  QStringList lines;
  const auto add = [&](const QString& what, const PreflightCheck& check) {
    const bool wrong = check.verdict == PreflightCheck::Verdict::Bad;
    if (!wrong && check.verdict != PreflightCheck::Verdict::Warning) return;
    wrong ? ++bad : ++warned;
    const QString line =
        QStringLiteral("%1: %2").arg(what, widgets::checkWords(check.advice.isEmpty() ? check.found : check.advice));
    wrong ? lines.prepend(line) : lines.append(line);
  };
  for (const widgets::PreflightColumn& column : columns)
    for (const PreflightCheck& check : column.checks)
      add(QStringLiteral("%1, %2").arg(widgets::machineTitle(column.host), widgets::checkTitle(check.key).toLower()),
          check);
  for (const PreflightCheck& check : m_fleet->between(names)) add(widgets::checkTitle(check.key), check);
  if (lines.isEmpty()) {
    const QString text = names.size() == 1 ? tr("%1: ready").arg(widgets::machineTitle(names[0]))
                                           : tr("%1 machines are ready").arg(names.size());
    return where->setFitness(WherePanel::Fitness::Good, text, {});
  }
  const QString more = lines.size() > 1 ? tr(" (and %1 more)").arg(lines.size() - 1) : QString();
  where->setFitness(bad > 0 ? WherePanel::Fitness::Bad : WherePanel::Fitness::Warning, lines[0] + more,
                    lines.join(QLatin1Char('\n')));
}

}  // namespace roadtune::studio
