// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/where_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {

WherePanel::WherePanel(QWidget* parent)
    : QWidget(parent),
      m_where(new QComboBox),
      m_list(new QWidget),
      m_rows(column(m_list, 0)),
      m_nothing(secondaryLabel(tr("No other machine is known yet."))),
      m_processes(new QSpinBox),
      m_copies(new QCheckBox(tr("Copy what is missing to the machines"))),
      m_missing(secondaryLabel({})),
      m_mark(new QLabel),
      m_fitness(secondaryLabel({})),
      m_check(iconButton(QStringLiteral("refresh"), tr("Check these machines"), QStringLiteral("whereCheck"))) {
  setObjectName(QStringLiteral("wherePanel"));
  m_where->setObjectName(QStringLiteral("whereChoice"));
  m_where->setAccessibleName(tr("Where it trains"));
  m_where->addItems({tr("This machine"), tr("Other machines")});
  m_processes->setObjectName(QStringLiteral("whereProcesses"));
  m_processes->setAccessibleName(tr("Processes on each machine"));
  m_processes->setRange(0, 64);
  m_processes->setSpecialValueText(tr("one per card"));
  m_processes->setToolTip(tr("0 stands for one per graphics card, and for a single one where there is none"));
  m_processes->setFixedWidth(120);
  m_copies->setObjectName(QStringLiteral("whereCopies"));
  m_copies->setToolTip(tr("Model and data, where a machine lacks them or has others; compared before the run starts"));
  m_missing->setObjectName(QStringLiteral("whereMissing"));
  m_missing->setWordWrap(true);
  m_fitness->setObjectName(QStringLiteral("whereFitness"));
  m_fitness->setWordWrap(true);
  auto* add = iconButton(QStringLiteral("plus"), tr("Add a machine to the fleet"), QStringLiteral("whereAdd"));
  auto* head = row(nullptr, 4);
  head->addWidget(headingLabel(tr("Where")), 1);
  head->addWidget(add);
  auto* processes = row(nullptr, 8);
  processes->addWidget(secondaryLabel(tr("Processes on each")), 1);
  processes->addWidget(m_processes);
  auto* fitness = row(nullptr, 6);
  fitness->addWidget(m_mark);
  fitness->addWidget(m_fitness, 1);
  fitness->addWidget(m_check);
  auto* layout = column(this, 4);
  layout->addLayout(head);
  layout->addWidget(m_where);
  layout->addWidget(m_list);
  layout->addWidget(m_nothing);
  layout->addLayout(processes);
  layout->addWidget(m_copies);
  layout->addWidget(m_missing);
  layout->addLayout(fitness);
  connect(m_where, &QComboBox::activated, this, &WherePanel::choosePlace);
  connect(add, &QToolButton::clicked, this, &WherePanel::addRequested);
  connect(m_copies, &QCheckBox::clicked, this, &WherePanel::copiesChosen);
  connect(m_check, &QToolButton::clicked, this, &WherePanel::checkRequested);
  connect(m_processes, &QSpinBox::editingFinished, this, [this] { emit processesChosen(m_processes->value()); });
  connect(m_processes, &QSpinBox::valueChanged, this, [this](int value) {
    if (!m_processes->hasFocus()) emit processesChosen(value);
  });
  setFitness(Fitness::Unknown, {}, {});
  refresh();
}

void WherePanel::choosePlace(int index) {
  m_elsewhere = index == 1;
  refresh();
  emit undecidedChanged();
  if (index == 2) return;  // the fleet file of the configuration: as it is
  if (!m_elsewhere) return emit hostsChosen({});
  if (m_places.size() == 1 && m_hosts.isEmpty()) emit hostsChosen({m_places[0].name});  // no other choice
}

void WherePanel::commit() {
  if (!m_processes->hasFocus()) return;
  m_processes->interpretText();
  if (m_processes->value() != m_told) emit processesChosen(m_processes->value());
}

void WherePanel::focusChoice() { m_where->setFocus(); }

void WherePanel::setPlaces(const std::vector<RunPlace>& places) {
  m_places = places;
  rebuild();
}

void WherePanel::setConfig(const config::RunConfig& config) {
  QStringList hosts;
  for (const std::string& host : config.list("hosts")) hosts << QString::fromStdString(host);
  const QString fleet = config.has("fleet") ? QString::fromStdString(config.text("fleet")) : QString();
  if (fleet != m_fleetFile) {
    m_fleetFile = fleet;
    if (m_where->count() > 2) m_where->removeItem(2);
    if (!fleet.isEmpty()) m_where->addItem(tr("Machines of %1").arg(fleet.section(QLatin1Char('/'), -1)));
  }
  const QSignalBlocker quiet(m_processes);
  m_told = config.has("nproc_per_node") ? static_cast<int>(config.integer("nproc_per_node")) : 0;
  m_processes->setValue(m_told);
  if (hosts == m_hosts && !m_boxes.empty()) return refresh();
  if (!hosts.isEmpty() || !m_clicking) m_elsewhere = !hosts.isEmpty();
  m_hosts = hosts;
  rebuild();
}

void WherePanel::rebuild() {
  // Machines the configuration names and the fleet does not know are shown all the same.
  std::vector<RunPlace> rows = m_places;
  for (const QString& host : m_hosts) {
    const bool known = std::any_of(rows.begin(), rows.end(), [&](const RunPlace& place) { return place.name == host; });
    if (!known) rows.push_back({host, {}, tr("not in the fleet")});
  }
  while (m_boxes.size() < rows.size()) {
    auto* box = new QCheckBox;
    m_rows->addWidget(box);
    m_boxes.push_back(box);
    connect(box, &QCheckBox::clicked, this, [this, box](bool on) {
      QStringList hosts = m_hosts;
      const QString name = box->property("host").toString();
      if (on)
        hosts << name;
      else
        hosts.removeAll(name);
      m_clicking = true;
      emit hostsChosen(hosts);
      m_clicking = false;
      emit undecidedChanged();
    });
  }
  for (std::size_t i = 0; i < m_boxes.size(); ++i) {
    m_boxes[i]->setVisible(i < rows.size());
    if (i >= rows.size()) continue;
    const RunPlace& place = rows[i];
    m_boxes[i]->setProperty("host", place.name);
    m_boxes[i]->setObjectName(QStringLiteral("where_") + place.name);
    m_boxes[i]->setText(place.about.isEmpty() ? place.name : QStringLiteral("%1  ·  %2").arg(place.name, place.about));
    m_boxes[i]->setToolTip(place.group.isEmpty() ? place.name : tr("%1, group %2").arg(place.name, place.group));
    m_boxes[i]->setChecked(m_hosts.contains(place.name));
  }
  refresh();
}

void WherePanel::refresh() {
  const bool file = !m_fleetFile.isEmpty() && m_hosts.isEmpty() && !m_elsewhere;
  m_where->setCurrentIndex(file ? 2 : m_elsewhere ? 1 : 0);
  const bool any = !m_places.empty() || !m_hosts.isEmpty();
  m_list->setVisible(m_elsewhere && any);
  m_nothing->setVisible(m_elsewhere && !any);
  const bool others = file || (m_elsewhere && !m_hosts.isEmpty());
  m_copies->setVisible(others);
  m_missing->setVisible(others && copies() && !m_missing->text().isEmpty());
}

bool WherePanel::copies() const { return m_copies->isChecked(); }

void WherePanel::setMissing(const QString& text) {
  m_missing->setText(text);
  refresh();
}

void WherePanel::setFitness(Fitness fitness, const QString& text, const QString& details) {
  const Tokens& t = Theme::tokens();
  const char* names[] = {"minus", "refresh", "check", "warning", "error"};
  const QColor colours[] = {t.disabled, t.secondary, t.good, t.warn, t.bad};
  const auto at = static_cast<std::size_t>(fitness);
  m_mark->setPixmap(iconPixmap(QLatin1String(names[at]), 14, colours[at], devicePixelRatioF()));
  m_mark->setVisible(!text.isEmpty());
  m_fitness->setText(text);
  m_fitness->setVisible(!text.isEmpty());
  m_check->setVisible(!text.isEmpty());
  m_fitness->setToolTip(details);
  m_check->setEnabled(fitness != Fitness::Checking);
}

}  // namespace roadtune::widgets
