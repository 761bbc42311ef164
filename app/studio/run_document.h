// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/document.h"
#include "core/config/resolve.h"
#include "core/model/module_tree.h"
#include "widgets/models/module_paint.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

namespace roadtune::studio {

// The configuration being edited: text with comments, history, and what it means. The one owner of that text: form and
// YAML view both edit through here. UI thread only; resolving is a matter of microseconds.
class RunDocument : public QObject {
  Q_OBJECT
 public:
  explicit RunDocument(QObject* parent = nullptr);
  ~RunDocument() override;

  void load(const config::Document& document, const QString& name);  // forgets the history
  const config::Document& document() const { return m_document; }
  QString name() const { return m_name; }
  bool unsaved() const { return !m_history.isClean(); }
  QUndoStack& history() { return m_history; }
  const QUndoStack& history() const { return m_history; }

  // What the text says as far as it can be read, and what is wrong with it.
  const config::RunConfig& config() const { return m_config; }
  const std::vector<config::Problem>& problems() const { return m_problems; }
  bool valid() const { return m_valid; }
  bool readable() const { return m_readable; }  // is it YAML at all

  Status set(const QString& key, const config::Value& value);  // one step of history
  Status reset(const QString& key);
  void setText(const QString& text);                           // typing: joined with the step before
  void replaceText(const QString& text, const QString& what);  // a preset: a step of its own
  Status setAll(const std::vector<std::pair<QString, config::Value>>& values, const QString& what);  // one step
  // Adds to `modules`, replacing what is covered. Four bits make the run a QLoRA one; `tree` is what the modules were
  // until now, so that all others stay that.
  Status paint(const QStringList& modules, const widgets::ModulePaint& paint, const model::ModuleTree* tree = nullptr);
  Status chooseHosts(const QStringList& hosts);                  // empty: this machine, also instead of a fleet file
  void takeSaved(const std::string& text, const QString& what);  // what the file holds now; a step that is saved
  Status save();
  Status saveAs(const QString& file);

 signals:
  void changed();

 private:
  friend class TextStep;
  void apply(const std::string& text);  // called by steps of the history
  void resolve();
  config::Document m_document;
  config::RunConfig m_config;
  std::vector<config::Problem> m_problems;
  bool m_valid = false;
  bool m_readable = true;
  bool m_known = false;  // m_config comes from a text of this document
  QString m_name;
  QUndoStack m_history;
};

}  // namespace roadtune::studio
