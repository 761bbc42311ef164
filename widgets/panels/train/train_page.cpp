// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/train_page.h"

#include "core/config/presets.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/icons.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"
#include "widgets/common/wrap_layout.h"
#include "widgets/forms/field_text.h"
#include "widgets/forms/schema_form.h"
#include "widgets/forms/yaml_edit.h"
#include "widgets/panels/train/compare_panel.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/module_panel.h"
#include "widgets/panels/train/where_panel.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

// A name that people say; the whole of what it is for is its tool tip.
QString presetTitle(const QString& name) {
  const std::pair<const char*, QString> titles[] = {
      {"demo", TrainPage::tr("Demo: a tiny model")},
      {"lora-r8", TrainPage::tr("LoRA of rank 8")},
      {"qlora-nf4", TrainPage::tr("QLoRA in 4 bits")},
      {"vqav2-frozen-vision", TrainPage::tr("Questions about pictures")},
      {"waymo-detect-448", TrainPage::tr("Detection on Waymo at 448 px")},
      {"waymo-full-multinode", TrainPage::tr("Full fine-tuning on several machines")}};
  for (const auto& [known, title] : titles)
    if (name == QLatin1String(known)) return title;
  return name;
}

}  // namespace

TrainPage::TrainPage(QWidget* parent)
    : QWidget(parent),
      m_notice(new NoticeBar),
      m_modules(new ModulePanel),
      m_where(new WherePanel),
      m_cost(new CostPanel(m_where)),
      m_form(new SchemaForm),
      m_yaml(new YamlEdit),
      m_compare(new ComparePanel),
      m_split(new QSplitter(Qt::Horizontal)) {
  setObjectName(QStringLiteral("trainPage"));
  m_split->setObjectName(QStringLiteral("trainSplitter"));
  m_split->addWidget(m_modules);
  m_split->addWidget(makeMiddle());
  m_split->addWidget(m_cost);
  m_split->setStretchFactor(1, 1);
  m_split->setSizes({420, 580, 350});
  m_split->setChildrenCollapsible(false);
  auto* layout = column(this, 0);
  layout->addWidget(makeTop());
  layout->addWidget(separator());
  layout->addWidget(m_notice);
  layout->addWidget(m_split, 1);
  connect(m_form, &SchemaForm::edited, this, &TrainPage::fieldEdited);
  connect(m_form, &SchemaForm::resetRequested, this, &TrainPage::fieldReset);
  connect(m_form, &SchemaForm::yamlRequested, this, [this](const QString& name) {
    showYaml(true);
    m_yaml->goToKey(name);
  });
  connect(m_yaml, &YamlEdit::textEdited, this, &TrainPage::yamlEdited);
}

QWidget* TrainPage::makeTop() {
  auto* bar = surface();
  m_name = new ElidedLabel;
  m_name->setObjectName(QStringLiteral("configName"));
  m_name->setFont(titleFont());
  auto* presets = iconButton(QStringLiteral("form"), tr("Start from a preset"), QStringLiteral("presets"));
  presets->setText(tr("Presets"));
  presets->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  auto* menu = new QMenu(presets);
  menu->setToolTipsVisible(true);
  for (const config::Preset& preset : config::presets()) {
    const QString name = QString::fromStdString(preset.name);
    const QString summary = schemaWords(preset.summary);
    QAction* action = menu->addAction(presetTitle(name));
    action->setObjectName(QStringLiteral("preset_") + name);
    action->setToolTip(summary);
    connect(action, &QAction::triggered, this, [this, name] { emit presetRequested(name); });
  }
  menu->addSeparator();
  QAction* foreign = menu->addAction(tr("A file of another trainer…"), this, &TrainPage::importRequested);
  foreign->setObjectName(QStringLiteral("importConfig"));
  foreign->setToolTip(
      tr("Files of LLaMA-Factory, axolotl, Unsloth, ms-swift, AutoTrain and Hugging Face, PEFT's "
         "adapter_config.json; notebooks, programs in Python, shell scripts"));
  presets->setMenu(menu);
  m_undo = iconButton(QStringLiteral("undo"), tr("Undo (Ctrl+Z)"), QStringLiteral("undoConfig"));
  m_redo = iconButton(QStringLiteral("redo"), tr("Redo (Ctrl+Y)"), QStringLiteral("redoConfig"));
  auto* open = iconButton(QStringLiteral("folder"), tr("Open a configuration"), QStringLiteral("openConfig"));
  auto* save = iconButton(QStringLiteral("save"), tr("Save the configuration (Ctrl+S)"), QStringLiteral("saveConfig"));
  auto* layout = row(bar, 4);
  layout->setContentsMargins(12, 8, 8, 8);
  layout->addWidget(m_name, 1);
  layout->addWidget(presets);
  layout->addSpacing(4);
  for (QWidget* part : {m_undo, m_redo, open, save}) layout->addWidget(part);
  connect(m_undo, &QToolButton::clicked, this, &TrainPage::undoRequested);
  connect(m_redo, &QToolButton::clicked, this, &TrainPage::redoRequested);
  connect(open, &QToolButton::clicked, this, &TrainPage::openRequested);
  connect(save, &QToolButton::clicked, this, &TrainPage::saveRequested);
  return bar;
}

QWidget* TrainPage::makeMiddle() {
  auto* middle = surface();
  m_tabs = new QTabBar;
  m_tabs->setObjectName(QStringLiteral("configTabs"));
  m_tabs->addTab(tr("Settings"));
  m_tabs->addTab(tr("YAML"));
  m_tabs->addTab(tr("Changes"));
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setUsesScrollButtons(false);
  m_tabs->setElideMode(Qt::ElideNone);
  m_tabs->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
  m_search = searchField(tr("Find a setting"), QStringLiteral("settingSearch"));
  leaveByEscape(m_search, [this] { focusMain(); });
  m_search->setMaximumWidth(220);
  m_search->setMinimumWidth(90);
  m_all = iconButton(QStringLiteral("settings"), tr("Show every setting"), QStringLiteral("allSettings"));
  m_all->setText(tr("All"));
  m_all->setToolButtonStyle(Qt::ToolButtonTextOnly);
  m_all->setCheckable(true);
  m_problemButton =
      iconButton(QStringLiteral("warning"), tr("Go to the first problem"), QStringLiteral("problemCount"));
  m_problemButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_problemButton->hide();
  auto* bar = new WrapLayout(8);
  bar->setContentsMargins(4, 4, 12, 4);
  bar->addWidget(m_tabs);
  bar->addWidget(m_problemButton);
  bar->addStretch();
  bar->addWidget(m_all);
  bar->addWidget(m_search);
  m_stack = new QStackedWidget;
  m_stack->addWidget(m_form);
  m_stack->addWidget(m_yaml);
  m_stack->addWidget(m_compare);
  auto* layout = column(middle, 0);
  layout->addLayout(bar);
  layout->addWidget(separator());
  layout->addWidget(m_stack, 1);
  connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
    m_stack->setCurrentIndex(index);
    m_search->setVisible(index == 0);
    m_all->setVisible(index == 0);
  });
  connect(m_search, &QLineEdit::textChanged, m_form, &SchemaForm::setSearch);
  connect(m_all, &QToolButton::toggled, m_form, &SchemaForm::setAllShown);
  connect(m_problemButton, &QToolButton::clicked, this, &TrainPage::goToProblem);
  return middle;
}

const config::Problem* TrainPage::firstProblem() const {
  const auto error = std::ranges::find(m_problems, config::Severity::Error, &config::Problem::severity);
  if (error != m_problems.end()) return &*error;
  return m_problems.empty() ? nullptr : &m_problems.front();
}

void TrainPage::goToProblem() {
  if (const config::Problem* first = firstProblem()) goTo(*first);
}

void TrainPage::goTo(const config::Problem& problem) {
  const config::Field* field = m_readable ? config::findField(problem.key) : nullptr;
  showYaml(!field);
  if (field) return m_form->goTo(QString::fromStdString(field->name));
  m_yaml->goToLine(std::max(1, problem.line));
}

void TrainPage::setDocument(const QString& name, const QString& yaml, bool unsaved) {
  m_name->setText(unsaved ? tr("%1 (edited)").arg(name) : name);
  m_yaml->setYaml(yaml);
}

void TrainPage::setConfig(const config::RunConfig& config) {
  m_form->setConfig(config);
  m_modules->setConfig(config);
  m_cost->setConfig(config);
  m_where->setConfig(config);
}

void TrainPage::setProblems(const std::vector<config::Problem>& problems) {
  m_problems = problems;
  m_form->setProblems(problems);
  m_yaml->setProblems(problems);
  m_problemButton->setVisible(!problems.empty());
  m_problemButton->setText(QString::number(problems.size()));
  m_problemButton->setAccessibleName(problems.size() == 1 ? tr("1 problem") : tr("%1 problems").arg(problems.size()));
  QStringList lines;
  for (const config::Problem& problem : problems)
    lines << (problem.key.empty() ? QString() : QString::fromStdString(problem.key) + QStringLiteral(": ")) +
                 problemWords(problem.message);
  m_problemButton->setToolTip(lines.join(QLatin1Char('\n')));
}

void TrainPage::setEstimate(const TrainEstimate& estimate) {
  m_modules->setEstimate(estimate);
  m_cost->setEstimate(estimate);
  if (hasFocus()) focusMain();  // there was no tree until now
}

void TrainPage::focusMain() {
  QWidget* tree = m_modules->view();
  (tree->isVisible() ? tree : this)->setFocus();
}

void TrainPage::setReadable(bool readable, int line) {
  m_form->setEnabled(readable);
  const bool broken = m_readable && !readable;
  m_readable = readable;
  if (!broken || m_yaml->hasFocus()) return;
  showYaml(true);
  m_yaml->goToLine(line);
}

// One that goes out under the fingers hands the focus on to the other.
void TrainPage::setUndoable(bool undo, bool redo) {
  if (undo) m_undo->setEnabled(true);
  if (redo) m_redo->setEnabled(true);
  if (!undo && m_undo->hasFocus()) m_redo->setFocus();
  if (!redo && m_redo->hasFocus()) m_undo->setFocus();
  m_undo->setEnabled(undo);
  m_redo->setEnabled(redo);
}

void TrainPage::showYaml(bool yaml) { m_tabs->setCurrentIndex(yaml ? 1 : 0); }

void TrainPage::focusSearch() {
  showYaml(false);
  m_search->setFocus();
  m_search->selectAll();
}

}  // namespace roadtune::widgets
