// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/worst_panel.h"

#include "widgets/canvas/picture_pool.h"
#include "widgets/common/controls.h"
#include "widgets/common/loss_number.h"
#include "widgets/common/number_delegate.h"
#include "widgets/common/number_text.h"
#include "widgets/common/table_view.h"
#include "widgets/common/theme.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/runs/sample_name.h"
#include "widgets/panels/runs/worst_delegate.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr std::int64_t kWorstPictureBytes = 16 << 20;
enum WorstColumn { kSampleColumn, kLossColumn, kSeenColumn, kLastStepColumn, kFirstColumn, kWorstColumn };

TableModel::Row rowOf(const runs::SampleSummary& one, const QString& shown) {
  const QString name = QString::fromStdString(one.sample);
  return {{shown, lossNumber(one.last), countText(one.seen), countText(one.lastStep), lossNumber(one.first),
           lossNumber(one.worst)},
          TableModel::Tone::Plain,
          name,
          name};
}

}  // namespace

WorstPanel::WorstPanel(QWidget* parent)
    : QWidget(parent),
      m_title(secondaryLabel({})),
      m_show(plainButton(tr("Show in Data"), QStringLiteral("showWorst"))),
      m_openData(plainButton(tr("Open its data"), QStringLiteral("openWorstData"))),
      m_table(new TableModel(
          {tr("Sample"), tr("Last loss"), tr("Seen"), tr("Last step"), tr("First loss"), tr("Worst loss")}, -1, this)),
      m_view(tableView(QStringLiteral("worstSamples"), tr("Worst samples"), m_table)),
      m_empty(secondaryLabel({})) {
  m_title->setObjectName(QStringLiteral("worstTitle"));
  m_show->setToolTip(tr("All images, those that cost this run most first"));
  m_openData->setToolTip(tr("Other data is open on the Data page; this opens that which the run learnt from"));
  m_title->setWordWrap(true);
  m_empty->setObjectName(QStringLiteral("worstEmpty"));
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_table->setRightAligned({kLossColumn, kSeenColumn, kLastStepColumn, kFirstColumn, kWorstColumn});
  m_view->header()->setStretchLastSection(false);
  m_view->header()->setSectionResizeMode(kSampleColumn, QHeaderView::Stretch);
  m_view->setItemDelegateForColumn(kSampleColumn, new WorstDelegate(
                                                      [this](int row) {
                                                        const auto image = m_samples->samples[std::size_t(row)].image;
                                                        return image && m_pool ? m_pool->picture(*image) : QPixmap();
                                                      },
                                                      m_view));
  for (int column = kLossColumn; column <= kWorstColumn; ++column) {
    m_view->setItemDelegateForColumn(column, new NumberDelegate(m_view));
    m_view->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  }
  auto* head = row(nullptr, 8);
  head->setContentsMargins(12, 6, 12, 4);
  head->addWidget(m_title, 1);
  head->addWidget(m_show);
  head->addWidget(m_openData);
  auto* layout = column(this, 0);
  layout->addLayout(head);
  layout->addWidget(m_view, 1);
  layout->addWidget(m_empty, 1);
  connect(m_show, &QPushButton::clicked, this, &WorstPanel::orderRequested);
  connect(m_openData, &QPushButton::clicked, this, [this] { open(std::max(m_view->currentIndex().row(), 0)); });
  connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) { open(index.row()); });
  connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, &WorstPanel::askForPictures);
  clear();
}

WorstPanel::~WorstPanel() = default;

void WorstPanel::setIndex(std::shared_ptr<const data::Index> index) {
  m_pool.reset();
  m_index = std::move(index);
  if (isVisible()) emit wanted();
}

void WorstPanel::clear() {
  m_table->setRows({});
  m_samples = std::make_shared<WorstSamples>();
  m_title->clear();
  m_show->hide();
  m_openData->hide();
  m_view->hide();
  m_pool.reset();
  m_empty->setText(tr("Reading what each sample cost…"));
  m_empty->show();
}

void WorstPanel::setSamples(const WorstSamplesPtr& samples) {
  if (samples->index != m_samples->index) m_pool.reset();
  m_samples = samples;
  std::vector<TableModel::Row> rows;
  for (const WorstSamples::Sample& one : samples->samples)
    rows.push_back(
        rowOf(one.summary, sampleName(QString::fromStdString(one.summary.sample), samples->index.get(), one.image)));
  const QString current = m_view->currentIndex().data(TableModel::KeyRole).toString();
  const int place = m_view->verticalScrollBar()->value();
  const bool any = !rows.empty();
  m_title->setText(
      !any ? QString()
      : rows.size() == samples->all
          ? tr("%1 samples, by what each cost when it was seen last").arg(countText(std::int64_t(samples->all)))
          : tr("The %1 worst of %2 samples, by what each cost when it was seen last")
                .arg(countText(std::int64_t(rows.size())), countText(std::int64_t(samples->all))));
  if (!samples->place.isEmpty())
    m_title->setText(m_title->text() + QLatin1Char('\n') +
                     tr("No index has their pictures: the run learnt from %1.").arg(samples->place));
  m_table->setRows(std::move(rows));
  for (int row = 0; row < m_table->rowCount() && !current.isEmpty(); ++row)
    if (m_table->index(row, 0).data(TableModel::KeyRole).toString() == current)
      m_view->setCurrentIndex(m_table->index(row, 0));
  m_view->verticalScrollBar()->setValue(place);
  const bool elsewhere = samples->index && samples->index != m_index;
  m_show->setVisible(any && m_index && !elsewhere);
  m_openData->setVisible(any && elsewhere);
  m_view->setVisible(any);
  m_empty->setText(samples->failure);
  m_empty->setVisible(!any);
  askForPictures();
}

// Of the rows on show, and as many below them.
void WorstPanel::askForPictures() {
  if (!m_samples->index || m_samples->samples.empty()) return;
  if (!m_pool) {
    m_pool = std::make_unique<PicturePool>(m_samples->index, PictureKind::Thumbnail, 1, kWorstPictureBytes);
    connect(m_pool.get(), &PicturePool::ready, m_view->viewport(), qOverload<>(&QWidget::update));
  }
  constexpr std::size_t kMostAhead = 40;
  std::vector<data::ImageId> images;
  const QModelIndex top = m_view->indexAt({0, 0});
  for (std::size_t row = top.isValid() ? std::size_t(top.row()) : 0;
       row < m_samples->samples.size() && images.size() < kMostAhead; ++row)
    if (const auto image = m_samples->samples[row].image) images.push_back(*image);
  m_pool->want(images);
}

void WorstPanel::open(int row) {
  const WorstSamples::Sample& one = m_samples->samples[std::size_t(row)];
  if (one.image && m_samples->index == m_index)
    emit sampleChosen(*one.image);
  else
    emit unknownChosen(QString::fromStdString(one.summary.sample));
}

void WorstPanel::showEvent(QShowEvent*) { emit wanted(); }

}  // namespace roadtune::widgets
