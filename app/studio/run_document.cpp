// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/run_document.h"

#include "app/studio/four_bit_run.h"
#include "app/studio/painted_rules.h"
#include "core/config/readable.h"

#include <QFileInfo>
#include <QUndoCommand>

namespace roadtune::studio {

// The text before and after.
class TextStep : public QUndoCommand {
 public:
  TextStep(RunDocument* document, std::string before, std::string after, const QString& what, bool typing)
      : QUndoCommand(what),
        m_document(document),
        m_before(std::move(before)),
        m_after(std::move(after)),
        m_typing(typing) {}
  void undo() override { m_document->apply(m_before); }
  void redo() override { m_document->apply(m_after); }
  int id() const override { return m_typing ? 1 : -1; }
  bool mergeWith(const QUndoCommand* next) override {
    m_after = static_cast<const TextStep*>(next)->m_after;
    return true;
  }

 private:
  RunDocument* m_document;
  std::string m_before, m_after;
  bool m_typing;
};

RunDocument::RunDocument(QObject* parent) : QObject(parent) {
  connect(&m_history, &QUndoStack::cleanChanged, this, &RunDocument::changed);
  resolve();
  m_known = true;
}

// The history tells of its end when it goes, and nobody may listen any more by then.
RunDocument::~RunDocument() { m_history.disconnect(); }

void RunDocument::load(const config::Document& document, const QString& name) {
  m_document = document;
  m_name = name;
  m_history.clear();
  m_history.setClean();
  m_known = false;
  resolve();
  m_known = true;
  emit changed();
}

void RunDocument::apply(const std::string& text) {
  m_document = config::Document(text, m_document.path());
  resolve();
  emit changed();
}

void RunDocument::resolve() {
  config::Resolution resolution = config::resolve(m_document, {config::Purpose::Training, {}});
  m_problems = std::move(resolution.problems);
  m_valid = resolution.config.has_value() && !config::hasErrors(m_problems);
  m_readable = m_valid || config::isReadable(m_document);
  if (m_valid) {
    m_config = *resolution.config;
    return;
  }
  // While a bracket is open nothing can be read: the form goes on showing what it had.
  if (m_known && !m_readable) return;
  m_config = config::readableConfig(m_document);
}

Status RunDocument::set(const QString& key, const config::Value& value) {
  config::Document next = m_document;
  ROADTUNE_CHECK(value.isNull() ? next.unset(key.toStdString()) : next.set(key.toStdString(), value));
  if (next.text() != m_document.text()) m_history.push(new TextStep(this, m_document.text(), next.text(), key, false));
  return {};
}

Status RunDocument::reset(const QString& key) { return set(key, {}); }

void RunDocument::setText(const QString& text) {
  const std::string next = text.toStdString();
  if (next != m_document.text()) m_history.push(new TextStep(this, m_document.text(), next, tr("typing"), true));
}

void RunDocument::replaceText(const QString& text, const QString& what) {
  const std::string next = text.toStdString();
  if (next != m_document.text()) m_history.push(new TextStep(this, m_document.text(), next, what, false));
}

Status RunDocument::setAll(const std::vector<std::pair<QString, config::Value>>& values, const QString& what) {
  config::Document next = m_document;
  for (const auto& [key, value] : values)
    ROADTUNE_CHECK(value.isNull() ? next.unset(key.toStdString()) : next.set(key.toStdString(), value));
  if (next.text() != m_document.text()) m_history.push(new TextStep(this, m_document.text(), next.text(), what, false));
  return {};
}

Status RunDocument::paint(const QStringList& modules, const widgets::ModulePaint& paint,
                          const model::ModuleTree* tree) {
  std::vector<config::ModuleOverride> rules = m_config.moduleOverrides();
  std::vector<std::pair<QString, config::Value>> values;
  if (paint.method == QLatin1String("qlora") && !m_config.usesFourBit()) {
    // Four bits are a setting of the whole run: what it would do to modules that are not painted is taken back.
    const FourBitRun run = fourBitRun(m_config, tree, modules);
    rules = withRulesBefore(rules, run.rules);
    values.emplace_back(QStringLiteral("finetuning_type"), config::Value("qlora"));
    if (m_config.list("target_modules").empty() && !m_config.has("adapter_name_or_path"))
      values.emplace_back(QStringLiteral("target_modules"), config::Value("all-linear"));
    if (!run.unquantized.empty())
      values.emplace_back(QStringLiteral("llm_int8_skip_modules"), config::Value::texts(run.unquantized));
  }
  rules = paintedRules(std::move(rules), modules, paint);
  values.emplace_back(QStringLiteral("modules"), rules.empty() ? config::Value() : rulesValue(rules));
  return setAll(values, tr("painting"));
}

Status RunDocument::chooseHosts(const QStringList& hosts) {
  config::Value::List names;
  for (const QString& host : hosts) names.push_back(config::Value(host.toStdString()));
  std::vector<std::pair<QString, config::Value>> values;
  if (m_config.has("fleet")) values.emplace_back(QStringLiteral("fleet"), config::Value());
  values.emplace_back(QStringLiteral("hosts"), names.empty() ? config::Value() : config::Value(std::move(names)));
  return setAll(values, tr("machines"));
}

void RunDocument::takeSaved(const std::string& text, const QString& what) {
  if (text != m_document.text()) m_history.push(new TextStep(this, m_document.text(), text, what, false));
  m_history.setClean();
  emit changed();
}

Status RunDocument::save() {
  ROADTUNE_CHECK(m_document.save());
  m_history.setClean();
  emit changed();
  return {};
}

Status RunDocument::saveAs(const QString& file) {
  ROADTUNE_CHECK(m_document.saveAs(file.toStdString()));
  m_name = QFileInfo(file).fileName();
  m_history.setClean();
  resolve();
  emit changed();
  return {};
}

}  // namespace roadtune::studio
