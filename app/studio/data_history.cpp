// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/data_history.h"

#include "core/data/index/renumbered.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"

#include <QUndoCommand>

#include <functional>
#include <utility>

namespace roadtune::studio {

class QueryStep : public QUndoCommand {
 public:
  QueryStep(DataHistory* history, QString before, QString after)
      : m_history(history), m_before(std::move(before)), m_after(std::move(after)) {}
  void undo() override { m_history->showQuery(m_before); }
  void redo() override { m_history->showQuery(m_after); }

 private:
  DataHistory* m_history;
  QString m_before, m_after;
};

namespace {

// Was written already when it is pushed.
class WrittenStep : public QUndoCommand {
 public:
  using Write = std::function<void(bool forward)>;
  explicit WrittenStep(Write write) : m_write(std::move(write)) {}
  void undo() override { m_write(false); }
  void redo() override {
    if (std::exchange(m_taken, true)) m_write(true);
  }

 private:
  Write m_write;
  bool m_taken = false;
};

}  // namespace

DataHistory::DataHistory(widgets::DataPage* page, QObject* parent) : QObject(parent), m_page(page) {
  connect(&m_steps, &QUndoStack::indexChanged, this, &DataHistory::changed);
  connect(page, &widgets::DataPage::queryApplied, this, &DataHistory::recordQuery);
  connect(page->queryLine(), &widgets::QueryLine::edited, this, &DataHistory::changed);
}

// The history tells of its end when it goes, and nobody may listen any more by then.
DataHistory::~DataHistory() { m_steps.disconnect(); }

void DataHistory::recordQuery(const QString& query) {
  if (query != m_query) m_steps.push(new QueryStep(this, m_query, query));
}

void DataHistory::showQuery(const QString& query) {
  m_query = query;
  m_page->queryLine()->setText(query);
}

void DataHistory::recordTag(const std::vector<data::ImageId>& images, const QString& tag, bool on) {
  if (!images.empty())
    m_steps.push(new WrittenStep(
        [this, kept = keep(images), tag, on](bool forward) { emit tagWanted(*kept, tag, on == forward); }));
  emit tagRecorded(images, tag, on);
}

void DataHistory::recordNote(data::ImageId image, const QString& before, const QString& after) {
  m_steps.push(new WrittenStep([this, kept = keep({image}), before, after](bool forward) {
    emit noteWanted(kept->front(), forward ? after : before);
  }));
}

DataHistory::Images DataHistory::keep(const std::vector<data::ImageId>& images) {
  auto kept = std::make_shared<std::vector<data::ImageId>>(images);
  m_images.push_back(kept);
  return kept;
}

void DataHistory::forget() {
  m_steps.clear();
  m_images.clear();
  emit forgotten();
}

void DataHistory::grow(const data::Index& from, const data::Index& to) {
  std::erase_if(m_images, [](const auto& one) { return one.expired(); });
  for (const auto& one : m_images) {
    auto now = data::renumbered(from, to, *one.lock());
    if (!now) return forget();
    *one.lock() = std::move(*now);
  }
  emit grown(from, to);
}

bool DataHistory::typing() const { return m_page->queryLine()->text() != m_query; }
bool DataHistory::canUndo() const { return m_steps.canUndo() || typing(); }
bool DataHistory::canRedo() const { return m_steps.canRedo() && !typing(); }

// What was typed a moment ago is the first to be taken back.
void DataHistory::undo() {
  m_page->queryLine()->apply();
  m_steps.undo();
}

void DataHistory::redo() {
  m_page->queryLine()->apply();
  m_steps.redo();
}

}  // namespace roadtune::studio
