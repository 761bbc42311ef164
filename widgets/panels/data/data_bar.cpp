// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/data_bar.h"

#include "widgets/canvas/loss_text.h"
#include "widgets/common/controls.h"
#include "widgets/common/line_prompt.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/wrap_layout.h"
#include "widgets/models/query_text.h"
#include "widgets/panels/data/loss_menu.h"
#include "widgets/panels/data/query_line.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr int kMargin = 12;

struct SortChoice {
  const char* order;
  const char* words;
};
const SortChoice kSorts[] = {{"", QT_TRANSLATE_NOOP("Sort", "As recorded")},
                             {"n desc", QT_TRANSLATE_NOOP("Sort", "Most boxes first")},
                             {"n", QT_TRANSLATE_NOOP("Sort", "Fewest boxes first")},
                             {"min(h)", QT_TRANSLATE_NOOP("Sort", "Smallest box first")},
                             {"max(h) desc", QT_TRANSLATE_NOOP("Sort", "Largest box first")},
                             {"count(pedestrian) desc", QT_TRANSLATE_NOOP("Sort", "Most pedestrians first")},
                             {"count(cyclist) desc", QT_TRANSLATE_NOOP("Sort", "Most cyclists first")},
                             {"timestamp desc", QT_TRANSLATE_NOOP("Sort", "Latest first")}};

QString sortWords(const SortChoice& choice) { return QCoreApplication::translate("Sort", choice.words); }

}  // namespace

DataBar::DataBar(QWidget* parent)
    : QWidget(parent), m_query(new QueryLine), m_size(new QSlider(Qt::Horizontal)), m_sort(makeSort()) {
  setObjectName(QStringLiteral("dataBar"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_viewButton = iconButton(QStringLiteral("pin"), tr("Saved views"), QStringLiteral("savedViews"));
  m_viewButton->setText(tr("Views"));
  m_viewButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_views = new QMenu(m_viewButton);
  m_views->setToolTipsVisible(true);
  m_viewButton->setMenu(m_views);
  m_size->setObjectName(QStringLiteral("thumbnailSize"));
  m_size->setAccessibleName(tr("Size of the thumbnails"));
  m_size->setToolTip(tr("Size of the thumbnails (Ctrl+wheel)"));
  m_size->setRange(120, 480);
  m_size->setValue(240);
  m_size->setFixedWidth(88);
  auto* boxes = iconButton(QStringLiteral("boxes"), tr("Boxes over the thumbnails"), QStringLiteral("gridBoxes"));
  boxes->setCheckable(true);
  boxes->setChecked(true);
  auto* quality = iconButton(QStringLiteral("quality"), tr("Data quality: how good it is for training"),
                             QStringLiteral("dataQuality"));
  auto* write = iconButton(QStringLiteral("export"), tr("Export these images"), QStringLiteral("dataExport"));
  m_train = iconButton(QStringLiteral("train"), tr("Set up a run that learns from these images"),
                       QStringLiteral("dataTrain"));
  m_train->setText(tr("Train"));
  m_train->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_below = new WrapLayout(8);
  m_below->addWidget(m_query->countLabel());
  m_below->addStretch();
  for (QWidget* part : std::initializer_list<QWidget*>{m_sort, m_viewButton, m_train, quality, write, m_size, boxes})
    m_below->addWidget(part);
  auto* layout = column(this, 4);
  layout->setContentsMargins(kMargin, 8, kMargin, 4);
  layout->addWidget(m_query);
  layout->addLayout(m_below);
  m_quality = quality;
  m_export = write;
  for (QToolButton* opens : {quality, write}) opens->setCheckable(true);
  connect(quality, &QToolButton::clicked, this, &DataBar::qualityRequested);
  connect(write, &QToolButton::clicked, this, &DataBar::exportRequested);
  connect(m_train, &QToolButton::clicked, this, &DataBar::trainRequested);
  connect(boxes, &QToolButton::toggled, this, &DataBar::boxesShown);
  connect(m_query, &QueryLine::applied, this, &DataBar::refreshSort);
  refillViews();
  refreshSort();
}

QToolButton* DataBar::makeSort() {
  auto* button = iconButton(QStringLiteral("chevron-down"), tr("Order"), QStringLiteral("sortMenu"));
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  auto* menu = new QMenu(button);
  auto* group = new QActionGroup(menu);
  for (const SortChoice& choice : kSorts) {
    QAction* action = menu->addAction(sortWords(choice));
    action->setCheckable(true);
    action->setData(QLatin1String(choice.order));
    group->addAction(action);
    const QString order = QLatin1String(choice.order);
    connect(action, &QAction::triggered, this,
            [this, order] { m_query->setText(setQuerySort(m_query->text(), order)); });
  }
  menu->addSeparator();
  m_losses = new LossMenu(menu);
  menu->addMenu(m_losses);
  connect(m_losses, &LossMenu::chosen, this, [this](const QString& folder) {
    m_query->setText(setQuerySort(m_query->text(), lossTerm(folder) + QStringLiteral(" desc")));
  });
  menu->addSeparator();
  m_grouped = menu->addAction(tr("Group by segment"));
  m_grouped->setObjectName(QStringLiteral("groupBySegment"));
  m_grouped->setCheckable(true);
  connect(m_grouped, &QAction::toggled, this, &DataBar::groupedChanged);
  button->setMenu(menu);
  return button;
}

bool DataBar::event(QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) fitWords();
  return QWidget::event(event);
}

// What has a picture of its own does without its words where that keeps the line from breaking.
void DataBar::fitWords() {
  const auto worded = {m_viewButton, m_train};
  const bool pictures = m_train->toolButtonStyle() == Qt::ToolButtonIconOnly;
  const int now = m_below->sizeHint().width(), all = now + m_wordsWidth, room = width() - 2 * kMargin;
  int words = 0;
  for (const QToolButton* button : worded) words += button->fontMetrics().horizontalAdvance(button->text());
  const bool wanted = all > room && all - words <= room;
  if (wanted == pictures) return;
  for (QToolButton* button : worded)
    button->setToolButtonStyle(wanted ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  m_wordsWidth = wanted ? now - m_below->sizeHint().width() : 0;
}

void DataBar::setOpen(bool quality, bool exporting) {
  m_quality->setChecked(quality);
  m_export->setChecked(exporting);
}

void DataBar::setGrouped(bool grouped) { m_grouped->setChecked(grouped); }

void DataBar::refreshSort() {
  const QString order = querySort(m_query->text());
  const QString run = runOfOrder(order);
  QString words = order.isEmpty() ? QString()
                  : run.isEmpty() ? tr("By %1").arg(order)
                                  : tr("By the loss in %1").arg(run.section(QLatin1Char('/'), -1));
  m_losses->setChosen(run);
  for (QAction* action : m_sort->menu()->actions()) {
    if (!action->actionGroup()) continue;  // what is below the orders
    const bool chosen = action->data().toString().compare(order, Qt::CaseInsensitive) == 0;
    action->setChecked(chosen);
    if (chosen) words = action->text();
  }
  m_sort->setText(words);
}

void DataBar::setViews(const QList<QPair<QString, QString>>& views) {
  m_saved = views;
  refillViews();
}

void DataBar::refillViews() {
  m_views->clear();
  for (const auto& [name, query] : m_saved) {
    QAction* action = m_views->addAction(buttonText(name));
    action->setToolTip(tipText(query));
    const QString text = query;
    connect(action, &QAction::triggered, this, [this, text] { m_query->setText(text); });
  }
  if (m_saved.isEmpty()) m_views->addAction(tr("No saved views yet"))->setEnabled(false);
  m_views->addSeparator();
  QAction* save = m_views->addAction(tr("Save this view…"), this, &DataBar::askViewName);
  save->setObjectName(QStringLiteral("saveView"));
  if (m_saved.isEmpty()) return;
  QMenu* remove = m_views->addMenu(tr("Remove"));
  for (const auto& [name, query] : m_saved) {
    const QString view = name;
    remove->addAction(buttonText(view), this, [this, view] { emit removeViewRequested(view); });
  }
}

void DataBar::askViewName() {
  const auto wrong = [](const QString& name) { return name.isEmpty() ? tr("A view needs a name.") : QString(); };
  const auto note = [this](const QString& name) {
    const bool taken = std::ranges::any_of(m_saved, [&](const auto& view) { return view.first == name; });
    return taken ? tr("Takes the place of the view of that name.") : QString();
  };
  auto* prompt = new LinePrompt(m_viewButton, m_viewButton->rect(),
                                {.name = QStringLiteral("viewNamePrompt"),
                                 .title = tr("Save this view"),
                                 .verb = tr("Save"),
                                 .wrong = wrong,
                                 .note = note});
  connect(prompt, &LinePrompt::answered, this,
          [this, query = m_query->text()](const QString& name) { emit saveViewRequested(name, query); });
}

}  // namespace roadtune::widgets
