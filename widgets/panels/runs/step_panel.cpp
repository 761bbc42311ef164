// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/step_panel.h"

#include "widgets/canvas/image_grid.h"
#include "widgets/canvas/image_menu.h"
#include "widgets/canvas/picture_pool.h"
#include "widgets/common/controls.h"
#include "widgets/common/line_prompt.h"
#include "widgets/common/loss_number.h"
#include "widgets/common/number_delegate.h"
#include "widgets/common/number_text.h"
#include "widgets/common/table_view.h"
#include "widgets/common/theme.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/runs/sample_name.h"

#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr int kTileWidth = 140, kLogLines = 4, kValuesWidth = 280;
constexpr std::int64_t kPictureBytes = 32 << 20;

QTreeView* stepTable(TableModel* model, const char* name, const QString& title) {
  QTreeView* table = tableView(QLatin1String(name), title, model);
  table->header()->setStretchLastSection(false);
  table->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  table->setItemDelegateForColumn(1, new NumberDelegate(table));
  table->setColumnWidth(1, 120);
  return table;
}

}  // namespace

StepPanel::StepPanel(QWidget* parent)
    : QWidget(parent),
      m_title(secondaryLabel({})),
      m_show(plainButton(tr("Show these images"), QStringLiteral("showStepImages"))),
      m_values(new TableModel({tr("Quantity"), tr("Value")}, -1, this)),
      m_samples(new TableModel({tr("Learnt from"), tr("Loss")}, -1, this)),
      m_logNote(secondaryLabel(tr("In the log a loss is the mean of the steps since the line before."))),
      m_log(new QPlainTextEdit),
      m_grid(new ImageGrid) {
  m_title->setObjectName(QStringLiteral("stepTitle"));
  m_title->setWordWrap(true);
  m_values->setRightAligned({1});
  m_samples->setRightAligned({1});
  auto* head = row(nullptr, 8);
  head->setContentsMargins(12, 6, 12, 4);
  head->addWidget(m_title, 1);
  head->addWidget(m_show);
  auto* tables = row(nullptr, 1);
  auto* values = stepTable(m_values, "stepValues", tr("Values of the step"));
  values->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);  // the rest is for their names
  values->setMinimumWidth(kValuesWidth);
  tables->addWidget(values, 2);
  tables->addWidget(separator(Qt::Vertical));
  auto* samples = stepTable(m_samples, "stepSamples", tr("Samples of the step"));
  samples->setColumnWidth(1, 76);
  samples->setTextElideMode(Qt::ElideRight);
  samples->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tables->addWidget(samples, 2);
  m_grid->setObjectName(QStringLiteral("stepImages"));
  m_grid->setAccessibleName(tr("Images of the step"));
  m_grid->setTileWidth(kTileWidth);
  tables->addWidget(separator(Qt::Vertical));
  tables->addWidget(m_grid, 4);
  m_logNote->setObjectName(QStringLiteral("stepLogNote"));
  m_logNote->setContentsMargins(12, 4, 12, 0);
  m_logNote->setWordWrap(true);
  m_log->setObjectName(QStringLiteral("stepLog"));
  m_log->setAccessibleName(tr("Log lines about the step"));
  m_log->setReadOnly(true);
  m_log->setFont(codeFont());
  m_log->setFrameShape(QFrame::NoFrame);
  m_log->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_log->document()->setDocumentMargin(8);
  auto* layout = column(this, 0);
  layout->addLayout(head);
  layout->addLayout(tables, 1);
  layout->addWidget(m_logNote);
  layout->addWidget(m_log);
  const auto ask = [this, samples](const QModelIndexList& rows) {
    QStringList names;
    for (const QModelIndex& index : rows) names << index.data(TableModel::KeyRole).toString();
    if (names.isEmpty()) {
      for (const TableModel::Row& one : m_samples->rows()) names << one.key;
    }
    emit imagesRequested(names);
  };
  connect(m_show, &QPushButton::clicked, this, [samples, ask] { ask(samples->selectionModel()->selectedRows()); });
  connect(samples, &QTreeView::activated, this, [ask](const QModelIndex& index) { ask({index}); });
  connect(m_grid, &ImageGrid::activated, this, [this](std::size_t row) {
    emit imagesRequested({QString::fromStdString(m_shown->imageLabel((*m_grid->images())[row]))});
  });
  connect(m_grid, &ImageGrid::menuRequested, this, &StepPanel::showMenu);
  clear();
}

StepPanel::~StepPanel() { m_grid->setIndex(nullptr, nullptr); }

void StepPanel::setIndex(std::shared_ptr<const data::Index> index) {
  m_index = std::move(index);
  showSamples();
}

void StepPanel::setOwnIndex(std::shared_ptr<const data::Index> index) {
  m_own = std::move(index);
  showSamples();
}

std::shared_ptr<const data::Index> StepPanel::indexWith(const std::vector<std::string_view>& names) const {
  for (const auto& index : {m_index, m_own}) {
    if (!index) continue;
    const auto found = index->find(names);
    if (std::ranges::any_of(found, [](const auto& image) { return image.has_value(); })) return index;
  }
  return nullptr;
}

std::vector<std::string> StepPanel::sampleNames() const {
  std::vector<std::string> names;
  for (const TableModel::Row& row : m_samples->rows()) names.push_back(row.key.toStdString());
  return names;
}

bool StepPanel::learntFrom(const data::Index& index, const std::vector<data::ImageId>& images) const {
  const std::vector<std::string> names = sampleNames();
  const auto found = index.find(std::vector<std::string_view>(names.begin(), names.end()));
  return std::ranges::any_of(found, [&images](const auto& one) { return one && std::ranges::count(images, *one) > 0; });
}

void StepPanel::showMenu(const QPoint& at) {
  const std::vector<data::ImageId> images = m_grid->selectedImages();
  const auto current = m_grid->currentImage();
  if (!m_shown || images.empty() || !current) return;
  auto* menu = new ImageMenu(this, true, m_shown == m_index);
  connect(menu, &ImageMenu::openChosen, this, [this, images, index = m_shown] {
    QStringList names;
    for (const data::ImageId image : images) names << QString::fromStdString(index->imageLabel(image));
    emit imagesRequested(names);
  });
  connect(menu, &ImageMenu::tagChosen, this, [this, images] { askTag(images); });
  connect(menu, &ImageMenu::noteChosen, this, [this, image = *current] { emit noteWanted(image); });
  connect(menu, &ImageMenu::leaveOutChosen, this, [this, images] { emit leaveOutRequested(images); });
  connect(menu, &ImageMenu::copyChosen, this, [images, index = m_shown] { copyImageNames(*index, images); });
  menu->popup(at);
}

void StepPanel::askTag(const std::vector<data::ImageId>& images) {
  const auto wrong = [](const QString& tag) { return tag.isEmpty() ? tr("A tag needs a name.") : QString(); };
  auto* prompt =
      new LinePrompt(m_grid->viewport(), m_grid->tileRect(m_grid->currentRow()),
                     {.name = QStringLiteral("stepTagPrompt"),
                      .title = images.size() == 1 ? tr("Tag of the image") : tr("Tag of %1 images").arg(images.size()),
                      .verb = tr("Add tag"),
                      .wrong = wrong});
  connect(prompt, &LinePrompt::answered, this,
          [this, images](const QString& tag) { emit tagRequested(images, tag, true); });
}

// The samples that the index knows get a picture, in their order.
void StepPanel::showSamples() {
  std::vector<TableModel::Row> rows = m_samples->rows();
  const std::vector<std::string> names = sampleNames();
  const std::vector<std::string_view> views(names.begin(), names.end());
  if (const auto with = indexWith(views); with != m_shown) {
    m_grid->setIndex(nullptr, nullptr);
    m_pool.reset();
    m_shown = with;
  }
  std::vector<std::optional<data::ImageId>> found(names.size());
  if (m_shown) found = m_shown->find(views);
  auto images = std::make_shared<std::vector<data::ImageId>>();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].cells[0] = sampleName(rows[i].key, m_shown.get(), found[i]);
    if (found[i]) images->push_back(*found[i]);
  }
  m_samples->setRows(std::move(rows));
  m_grid->setVisible(!images->empty());
  if (images->empty()) return;
  if (!m_pool) {
    m_pool = std::make_unique<PicturePool>(m_shown, PictureKind::Thumbnail, 1, kPictureBytes);
    m_grid->setIndex(m_shown, m_pool.get());
  }
  m_grid->setImages(std::move(images));
}

void StepPanel::clear() {
  m_step = -1;
  m_title->setText(tr("Click a point of a plot to see that step: its numbers, and what it learnt from."));
  m_values->setRows({});
  m_samples->setRows({});
  m_show->hide();
  m_log->hide();
  m_logNote->hide();
  m_grid->hide();
}

void StepPanel::setFacts(const StepFacts& facts) {
  m_step = facts.step;
  m_title->setText(tr("Step %1").arg(countText(facts.step)));
  std::vector<TableModel::Row> values, samples;
  for (const auto& [name, value] : facts.values)
    values.push_back({{name, value}, TableModel::Tone::Plain, {}, name + QStringLiteral(": ") + value});
  for (const auto& [name, loss] : facts.samples) {
    samples.push_back({{name, loss ? lossNumber(*loss) : QString()}, TableModel::Tone::Plain, name, name});
  }
  m_show->setVisible(!samples.empty());
  m_values->setRows(std::move(values));
  m_samples->setRows(std::move(samples));
  m_log->setPlainText(facts.log.join(QLatin1Char('\n')));
  const int lines = std::min<int>(kLogLines, static_cast<int>(facts.log.size()));
  m_log->setFixedHeight(lines * m_log->fontMetrics().lineSpacing() + 18);
  m_log->setVisible(lines > 0);
  m_logNote->setVisible(facts.log.join(QLatin1Char('\n')).contains(QLatin1String("loss")));
  showSamples();
  QStringList unknown;
  for (const TableModel::Row& one : m_samples->rows()) unknown << one.key;
  if (!m_shown && !unknown.isEmpty()) emit picturesWanted(unknown);
}

}  // namespace roadtune::widgets
