// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/train_on.h"

#include "app/studio/left_out.h"
#include "app/studio/main_window.h"
#include "app/studio/run_document.h"
#include "app/studio/train_controller.h"
#include "widgets/common/notice_bar.h"
#include "widgets/forms/schema_form.h"
#include "widgets/frame/status_strip.h"
#include "widgets/models/query_text.h"
#include "widgets/panels/data/data_name.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/train/train_page.h"

#include <utility>

namespace roadtune::studio {
namespace {

config::Value valueOf(const QString& text) {
  return text.isEmpty() ? config::Value() : config::Value(text.toStdString());
}

// Training has an order of its own. What was left out of it before stays out.
QString trainingQuery(const QString& shown, const QString& before) {
  const QString query = widgets::setQuerySort(shown, {}).trimmed();
  return withoutLeftOut(before) == before ? withoutLeftOut(query) : query;
}

}  // namespace

TrainOn::TrainOn(MainWindow* window, TrainController* train, QObject* parent)
    : QObject(parent), m_window(window), m_train(train) {
  const widgets::DataPage* page = window->dataPage();
  connect(&train->document(), &RunDocument::changed, this,
          [this] { m_window->statusStrip()->withdraw(std::exchange(m_said, {})); });
  connect(page, &widgets::DataPage::trainRequested, this, &TrainOn::use);
  connect(page, &widgets::DataPage::viewsChanged, this, [this](const QList<QPair<QString, QString>>& views) {
    for (const char* field : {"train_query", "eval_query"})
      m_window->trainPage()->form()->setSuggestions(QLatin1String(field), tr("Saved views"), views);
  });
}

void TrainOn::setIndex(const QString& folder) {
  m_folder = folder;
  const std::filesystem::path path = folder.toStdString();
  for (const char* field : {"train_data", "eval_data"})
    m_window->trainPage()->form()->setSuggestions(QLatin1String(field), tr("Data that is open"),
                                                  {{widgets::dataName(path), folder}});
  m_train->proposeData(folder);
}

// Both in one step of the configuration's history.
void TrainOn::use() {
  if (!m_window->dataPage()->index())
    return m_window->statusStrip()->setMessage(tr("Open data first: a run learns from what is on show there."));
  m_window->dataPage()->queryLine()->apply();
  RunDocument& document = m_train->document();
  const QString before = QString::fromStdString(document.config().text("train_query"));
  const QString query = trainingQuery(m_window->dataPage()->query(), before);
  const Status set = document.setAll(
      {{QStringLiteral("train_data"), valueOf(m_folder)}, {QStringLiteral("train_query"), valueOf(query)}},
      tr("training data"));
  widgets::TrainPage* page = m_window->trainPage();
  m_window->setPage(Page::Train);
  if (!set.ok()) return page->notice()->show(set.error());
  page->showYaml(false);
  page->form()->reveal(QStringLiteral("train_data"));
  const QString name = widgets::dataName(m_folder.toStdString());
  m_said = query.isEmpty() ? tr("The run learns from all of %1 now.").arg(name)
                           : tr("The run learns from %1 now, where %2").arg(name, query);
  m_window->statusStrip()->setMessage(m_said);
}

}  // namespace roadtune::studio
