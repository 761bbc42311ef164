// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/schema_form.h"

#include "widgets/common/controls.h"
#include "widgets/common/theme.h"
#include "widgets/forms/field_row.h"
#include "widgets/forms/field_text.h"

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {

namespace {

constexpr int kWideTitle = 196, kNarrowTitle = 120;
constexpr int kRight = 4, kBelow = 16;
constexpr int kWidest = 880;  // of a row: no value is so long that more would help

// One source of which no more than the path is said is shown as that; more needs the text.
config::Value shownValue(const config::RunConfig& config, const config::Field& field) {
  const config::Value value = config.value(field.name);
  if (field.type != config::FieldType::Sources || value.list().size() != 1) return value;
  const config::Value::Map& source = value.list().front().map();
  return source.size() == 1 && source.front().first == "path" ? source.front().second : value;
}

}  // namespace

SchemaForm::SchemaForm(QWidget* parent)
    : QWidget(parent), m_scroll(new QScrollArea), m_nothing(secondaryLabel(tr("No setting matches."))) {
  setObjectName(QStringLiteral("schemaForm"));
  m_scroll->setFocusPolicy(Qt::NoFocus);  // its fields are reached; it scrolls to them by itself
  auto* body = surface();
  auto* layout = column(body, 0);
  layout->setContentsMargins(0, 0, kRight, kBelow);
  m_nothing->setAlignment(Qt::AlignCenter);
  m_nothing->setFixedHeight(80);
  m_nothing->hide();
  layout->addWidget(m_nothing);
  for (const config::Section section : config::allSections()) {
    Part part;
    part.title = headingLabel(sectionWords(section));
    part.title->setContentsMargins(12, 14, 12, 4);
    layout->addWidget(part.title);
    for (const config::Field& field : config::schema()) {
      if (field.section != section) continue;
      auto* one = new FieldRow(field);
      layout->addWidget(one);
      part.rows.push_back(one);
      m_rows[QString::fromStdString(field.name)] = one;
      connect(one, &FieldRow::edited, this, &SchemaForm::edited);
      connect(one, &FieldRow::resetRequested, this, &SchemaForm::resetRequested);
      connect(one, &FieldRow::yamlRequested, this, &SchemaForm::yamlRequested);
      connect(one, &FieldRow::fixRequested, this, &SchemaForm::fixRequested);
    }
    m_parts.push_back(std::move(part));
  }
  layout->addStretch(1);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setWidgetResizable(true);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setWidget(body);
  auto* outer = column(this, 0);
  outer->addWidget(m_scroll);
  // Nothing is cut off at the right however narrow the window is.
  setTitleWidth(kNarrowTitle);
  int widest = 0;
  for (const auto& [name, one] : m_rows) widest = std::max(widest, one->minimumSizeHint().width());
  const int beside = layout->contentsMargins().right() + m_scroll->verticalScrollBar()->sizeHint().width();
  m_scroll->setMinimumWidth(widest + beside);
  setConfig({});
}

void SchemaForm::setConfig(const config::RunConfig& config) {
  m_config = config;
  for (auto& [name, one] : m_rows) {
    const config::Value value = shownValue(config, one->field());
    one->setValue(value,
                  config.isSet(name.toStdString()) && !(config.value(name.toStdString()) == one->field().defaultValue));
  }
  const QString steps = fieldTitle(*config::findField("max_steps"));
  if (FieldRow* epochs = fieldRow(QStringLiteral("num_train_epochs")))
    epochs->setDecided(config.integer("max_steps") > 0 ? tr("Decided by “%1”").arg(steps) : QString());
  refreshVisibility();
}

void SchemaForm::setUnread(const std::map<std::string, std::string>& words) {
  for (const auto& [name, text] : words) {
    const auto row = m_rows.find(QString::fromStdString(name));
    if (row == m_rows.end()) continue;
    const config::FieldType type = row->second->field().type;
    if (type != config::FieldType::Flag && type != config::FieldType::Choice)
      row->second->setValue(config::Value(text), true);
  }
}

void SchemaForm::setProblems(const std::vector<config::Problem>& problems) {
  std::map<QString, std::pair<QString, bool>> byName;
  for (const config::Problem& problem : problems) {
    const config::Field* field = config::findField(problem.key);
    if (!field) continue;
    auto& [text, error] = byName[QString::fromStdString(field->name)];
    text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + fieldProblemText(problem);
    error = error || problem.severity == config::Severity::Error;
  }
  m_problems.clear();
  for (auto& [name, one] : m_rows) {
    const auto found = byName.find(name);
    one->setProblem(found == byName.end() ? QString() : found->second.first,
                    found != byName.end() && found->second.second);
    if (found != byName.end()) m_problems[name] = found->second.first;
  }
  refreshVisibility();
}

void SchemaForm::setSearch(const QString& text) {
  m_search = text.trimmed();
  refreshVisibility();
}

void SchemaForm::setAllShown(bool all) {
  m_all = all;
  refreshVisibility();
}

void SchemaForm::refreshVisibility() {
  bool any = false;
  setUpdatesEnabled(false);
  for (const Part& part : m_parts) {
    bool shown = false;
    for (FieldRow* one : part.rows) {
      const config::Field& field = one->field();
      const QString name = QString::fromStdString(field.name);
      const bool matters = m_config.isVisible(field) || m_config.isSet(field.name);
      const bool wanted = !m_search.isEmpty()
                              ? one->matches(m_search)
                              : m_problems.count(name) > 0 ||
                                    (matters && (m_all || field.basic || field.required || m_config.isSet(field.name)));
      one->setVisible(wanted);
      shown = shown || wanted;
    }
    part.title->setVisible(shown);
    any = any || shown;
  }
  m_nothing->setVisible(!any);
  setUpdatesEnabled(true);
}

void SchemaForm::setTitleWidth(int width) {
  if (width == m_titleWidth) return;
  m_titleWidth = width;
  for (const auto& [name, one] : m_rows) one->setTitleWidth(width);
}

void SchemaForm::resizeEvent(QResizeEvent* event) {
  constexpr int kRoomy = 480;
  setTitleWidth(width() < kRoomy ? kNarrowTitle : kWideTitle);
  m_scroll->widget()->layout()->setContentsMargins(0, 0, std::max(kRight, width() - kWidest), kBelow);
  QWidget::resizeEvent(event);
}

void SchemaForm::setFix(const QString& name, const QString& label) {
  if (FieldRow* one = fieldRow(name)) one->setFix(label);
}

FieldRow* SchemaForm::fieldRow(const QString& name) const {
  const auto found = m_rows.find(name);
  return found == m_rows.end() ? nullptr : found->second;
}

void SchemaForm::setSuggestions(const QString& name, const QString& title,
                                const QList<QPair<QString, QString>>& values) {
  if (FieldRow* one = fieldRow(name)) one->setSuggestions(title, values);
}

void SchemaForm::reveal(const QString& name) {
  FieldRow* one = fieldRow(name);
  if (!one) return;
  one->show();
  if (QLayout* rows = m_scroll->widget()->layout()) rows->activate();  // a row that has just come has no place yet
  m_scroll->ensureWidgetVisible(one, 0, 60);
  one->flash();
}

void SchemaForm::commit() {
  for (const auto& [name, one] : m_rows) one->commit();
}

void SchemaForm::goTo(const QString& name) {
  reveal(name);
  if (FieldRow* one = fieldRow(name)) one->focusEditor();
}

}  // namespace roadtune::widgets
