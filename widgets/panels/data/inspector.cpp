// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/inspector.h"

#include "core/data/index/vocabulary.h"
#include "widgets/canvas/box_overlay.h"
#include "widgets/canvas/image_view.h"
#include "widgets/canvas/loss_text.h"
#include "widgets/canvas/tile_text.h"
#include "widgets/canvas/value_text.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/number_delegate.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/table_view.h"
#include "widgets/common/theme.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/data/marks_panel.h"

#include <QDateTime>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTreeView>

namespace roadtune::widgets {
namespace {
constexpr int kLevelColumn = 3, kRoomForLevel = 300;

// The class may be cut; the track is nowhere else.
QString boxTip(const QString& name, const std::string& track) {
  return tipText(
      track.empty() ? name : name + QLatin1Char('\n') + Inspector::tr("Track %1").arg(QString::fromStdString(track)));
}
}  // namespace

Inspector::Inspector(bool withPreview, QWidget* parent)
    : QWidget(parent),
      m_preview(withPreview ? new ImageView : nullptr),
      m_segment(new ElidedLabel),
      m_marks(new MarksPanel),
      m_words(new QLabel),
      m_count(headingLabel(tr("Boxes"))),
      m_boxes(new TableModel({tr("Class"), tr("Width"), tr("Height"), tr("Level")}, 0, this)),
      m_table(tableView(QStringLiteral("boxTable"), tr("Boxes"), m_boxes)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  setMinimumWidth(240);
  auto* layout = column(this, 0);
  if (m_preview) {
    m_preview->setObjectName(QStringLiteral("preview"));
    m_preview->setInteractive(false);
    m_preview->setFixedHeight(212);
    layout->addWidget(m_preview);
    layout->addWidget(separator());
  }
  auto* grid = new QGridLayout;
  grid->setContentsMargins(12, 10, 12, 10);
  grid->setVerticalSpacing(4);
  grid->setHorizontalSpacing(12);
  grid->setColumnStretch(1, 1);
  grid->addWidget(secondaryLabel(tr("Segment")), 0, 0);
  grid->addWidget(m_segment, 0, 1);
  m_segment->setElideMode(Qt::ElideMiddle);
  m_when = addFact(grid, tr("Time"));
  m_camera = addFact(grid, tr("Camera"));
  m_size = addFact(grid, tr("Size"));
  m_conditions = addFact(grid, tr("Scene"));
  m_loss = addFact(grid, tr("Loss"));
  m_loss->setObjectName(QStringLiteral("imageLoss"));
  m_loss->setWordWrap(true);
  showLoss();
  layout->addLayout(grid);
  layout->addWidget(separator());
  layout->addWidget(m_marks);
  layout->addWidget(separator());
  auto* head = row();
  head->setContentsMargins(12, 8, 12, 4);
  head->addWidget(m_count);
  layout->addLayout(head);
  m_words->setObjectName(QStringLiteral("imageWords"));
  m_words->setTextFormat(Qt::PlainText);
  m_words->setWordWrap(true);
  m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_words->setContentsMargins(12, 0, 12, 8);
  m_words->hide();
  layout->addWidget(m_words);
  m_boxes->setRightAligned({1, 2, 3});
  m_table->header()->setStretchLastSection(false);
  m_table->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_table->setTextElideMode(Qt::ElideMiddle);
  for (int i = 1; i < 4; ++i) {
    m_table->setItemDelegateForColumn(i, new NumberDelegate(m_table));
    m_table->header()->setSectionResizeMode(i, QHeaderView::ResizeToContents);
  }
  layout->addWidget(m_table, 1);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) { emit boxSelected(index.row()); });
}

// Where there is little room, the name of the class comes before how hard it is.
void Inspector::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_table->setColumnHidden(kLevelColumn, width() < kRoomForLevel);
}

// What data of texts asks, and wants to hear.
void Inspector::showWords(std::string_view question, std::string_view answer) {
  QStringList lines;
  for (const std::string_view line : {question, answer})
    if (!line.empty()) lines << QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size()));
  m_words->setText(foldedText(lines.join(QLatin1Char('\n'))));
  m_words->setVisible(!lines.isEmpty());
}

QLabel* Inspector::addFact(QGridLayout* grid, const QString& name) {
  const int line = grid->rowCount();
  auto* value = new QLabel;
  grid->addWidget(m_names[value] = secondaryLabel(name), line, 0);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  grid->addWidget(value, line, 1);
  return value;
}

// With its name, which stands left of it.
void Inspector::showFact(QLabel* value, bool shown) {
  value->setVisible(shown);
  m_names.value(value)->setVisible(shown);
}

void Inspector::setIndex(std::shared_ptr<const data::Index> index) {
  m_index = std::move(index);
  if (m_preview) m_preview->setIndex(m_index);
  setImage({});
}

void Inspector::setImage(std::optional<data::ImageId> image) {
  m_image = image;
  m_marks->setImage(m_index ? image : std::nullopt);
  showLoss();
  if (!image || !m_index) {
    m_boxes->setRows({});
    showWords({}, {});
    if (m_preview) m_preview->setImage({}, {});
    for (QLabel* label : {m_when, m_camera, m_size, m_conditions}) label->clear();
    m_segment->setText({});
    m_count->setText(tr("No image chosen"));
    m_marks->setEnabled(false);
    return;
  }
  m_marks->setEnabled(true);
  const data::ImageInfo info = m_index->image(*image);
  const data::SegmentInfo& segment = m_index->segment(info.segment).info();
  m_segment->setText(QString::fromStdString(segment.name));
  m_when->setText(isDated(info) ? QDateTime::fromMSecsSinceEpoch(info.timestamp / 1000, Qt::UTC)
                                      .toString(QStringLiteral("yyyy-MM-dd  HH:mm:ss.zzz"))
                  : isFilmed(info) ? QString::number(info.timestamp)
                                   : QString());
  m_camera->setText(isFilmed(info)
                        ? tr("%1, frame %2 of %3").arg(cameraText(info.camera)).arg(info.frame + 1).arg(segment.frames)
                        : QString());
  m_size->setText(info.width > 0 ? QStringLiteral("%1 × %2").arg(info.width).arg(info.height) : tr("not known"));
  QStringList scene;
  const std::pair<const char*, std::string> words[] = {
      {"time", segment.time}, {"weather", segment.weather}, {"location", segment.location}, {"split", segment.split}};
  for (const auto& [field, word] : words) {
    if (!word.empty()) scene << valueText(field, word);
  }
  m_conditions->setText(scene.join(QStringLiteral(" · ")));
  for (QLabel* label : {m_when, m_camera, m_conditions}) showFact(label, !label->text().isEmpty());
  std::vector<TableModel::Row> rows;
  for (const data::Box& box : m_index->boxes(*image)) {
    rows.push_back(
        {{classNameOf(*m_index, box), QStringLiteral("%1 px").arg(qRound(box.w)),
          QStringLiteral("%1 px").arg(qRound(box.h)), QString::number(data::cameraBoxLevel(box.detectionLevel))},
         TableModel::Tone::Plain,
         {},
         boxTip(classNameOf(*m_index, box), box.id)});
  }
  const data::Segment& held = m_index->segment(info.segment);
  showWords(held.prefix(info.row), rows.empty() ? held.suffix(info.row) : std::string_view());
  m_count->setText(hasWords(*m_index, info) && rows.empty() ? tr("Text")
                   : !info.labelled                         ? tr("Not labelled")
                   : rows.empty()                           ? tr("No boxes")
                                                            : tr("Boxes (%1)").arg(rows.size()));
  for (const data::Box& region : m_index->crowds(*image)) {
    const bool open = region.type == data::kUnknown;  // KITTI's DontCare
    rows.push_back({{open ? tr("not labelled") : tr("%1, a crowd").arg(classNameOf(*m_index, region)),
                     QStringLiteral("%1 px").arg(qRound(region.w)),
                     QStringLiteral("%1 px").arg(qRound(region.h)),
                     {}},
                    TableModel::Tone::Quiet,
                    {},
                    open ? tr("Nobody labelled what is in here: finds are neither right nor wrong")
                         : tr("Many of them, not told apart: finds in here are neither right nor wrong")});
  }
  m_table->setHeaderHidden(rows.empty() && hasWords(*m_index, info));
  m_boxes->setRows(std::move(rows));
}

void Inspector::setLosses(std::shared_ptr<const data::ImageLosses> losses) {
  m_losses = std::move(losses);
  showLoss();
}

void Inspector::showLoss() {
  const bool known = m_losses && m_image;
  showFact(m_loss, known);
  if (known) m_loss->setText(lossInWords(*m_losses, *m_image));
}

void Inspector::setPicture(const QPixmap& picture) {
  if (m_preview) m_preview->setImage(m_image, picture);
}

void Inspector::highlight(int box) {
  if (box >= 0 && box < m_boxes->rowCount()) {
    const QSignalBlocker quiet(m_table->selectionModel());
    m_table->setCurrentIndex(m_boxes->index(box, 0));
    m_table->viewport()->update();
  }
}

}  // namespace roadtune::widgets
