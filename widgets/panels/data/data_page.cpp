// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/data_page.h"

#include "widgets/canvas/image_view.h"
#include "widgets/canvas/loss_text.h"
#include "widgets/canvas/picture_pool.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/theme.h"
#include "widgets/models/query_text.h"
#include "widgets/panels/data/data_bar.h"
#include "widgets/panels/data/data_name.h"
#include "widgets/panels/data/export_panel.h"
#include "widgets/panels/data/facet_panel.h"
#include "widgets/panels/data/found_list.h"
#include "widgets/panels/data/import_panel.h"
#include "widgets/panels/data/inspector.h"
#include "widgets/panels/data/marks_panel.h"
#include "widgets/panels/data/quality_panel.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/data/side_drawer.h"

#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <utility>

namespace roadtune::widgets {
namespace {

constexpr int kFormerWidth = 360;  // of a query that was replaced

// Pages that are not on show ask for no room.
class PageStack : public QStackedWidget {
 public:
  QSize minimumSizeHint() const override { return currentWidget() ? currentWidget()->minimumSizeHint() : QSize(); }
};

QString invitation() {
  return DataPage::tr("Drop a folder of recordings here, or open an index that was made before.") + QLatin1Char(' ') +
         readableFormats();
}

}  // namespace

DataPage::DataPage(QWidget* parent)
    : QWidget(parent),
      m_stack(new PageStack),
      m_empty(new EmptyState(QStringLiteral("data"), tr("No data open"), invitation())),
      m_sample(new SampleView),
      m_notice(new NoticeBar),
      m_drawer(new SideDrawer),
      m_import(new ImportPanel),
      m_export(new ExportPanel),
      m_quality(new QualityPanel) {
  setObjectName(QStringLiteral("dataPage"));
  auto* import = m_empty->addPrimary(tr("Import a folder"), QStringLiteral("emptyImport"));
  auto* open = m_empty->addSecondary(tr("Open an index"), QStringLiteral("emptyOpen"));
  auto* demo = m_empty->addSecondary(tr("Open the demo project"), QStringLiteral("emptyDataDemo"));
  connect(import, &QPushButton::clicked, this, &DataPage::importRequested);
  connect(open, &QPushButton::clicked, this, &DataPage::openRequested);
  connect(demo, &QPushButton::clicked, this, &DataPage::demoRequested);
  m_browser = makeBrowser();
  m_stack->addWidget(m_empty);
  m_stack->addWidget(m_browser);
  m_stack->addWidget(m_sample);
  auto* layout = column(this, 0);
  layout->addWidget(m_notice);
  auto* beside = row(nullptr, 0);
  beside->addWidget(m_stack, 1);
  beside->addWidget(m_drawer);
  layout->addLayout(beside, 1);
  connect(m_sample, &SampleView::backRequested, this, &DataPage::closeSample);
  connect(m_stack, &QStackedWidget::currentChanged, m_stack, &QWidget::updateGeometry);
  makeDrawer();
}

void DataPage::makeDrawer() {
  m_drawer->add(m_import, tr("Import recordings"));
  m_drawer->add(m_export, tr("Export"));
  m_drawer->add(m_quality, tr("Data quality"));
  connect(m_quality, &QualityPanel::queryChosen, this, [this](const QString& query) {
    closeSample();
    m_query->setText(query);
  });
  connect(m_drawer, &SideDrawer::shownChanged, this, &DataPage::showInspector);
  connect(m_drawer, &SideDrawer::shownChanged, m_empty, &EmptyState::setQuiet);  // the next action is in the drawer
  connect(m_drawer, &SideDrawer::focusLeft, this, &DataPage::focusMain);
  connect(m_drawer, &SideDrawer::shownChanged, this, [this](bool shown) {
    m_bar->setOpen(shown && m_drawer->holds(m_quality), shown && m_drawer->holds(m_export));
  });
}

// The drawer takes the inspector's place, which is free at once: else both together would push the window wider.
void DataPage::showInspector(bool drawer) {
  m_inspector->setVisible(m_inspectorShown && !drawer);
  m_sample->inspector()->setVisible(!drawer);
  m_split->updateGeometry();
  for (QWidget* part : {m_browser, static_cast<QWidget*>(m_stack)}) part->layout()->activate();
}

DataPage::~DataPage() {
  // The pools go first: their threads hand pictures to widgets.
  m_grid->setIndex(nullptr, nullptr);
  m_sample->setIndex(nullptr, nullptr, nullptr);
}

QWidget* DataPage::makeSide() {
  m_facets = new FacetPanel;
  m_facetSide = surface(QStringLiteral("facetSide"));
  m_facetSide->setMinimumWidth(180);
  auto* side = column(m_facetSide, 0);
  auto* title = row();
  title->setContentsMargins(12, 8, 8, 4);
  m_name = new ElidedLabel(tr("Data"));
  m_name->setObjectName(QStringLiteral("dataName"));
  m_name->setFont(titleFont());
  title->addWidget(m_name, 1);
  auto* open = iconButton(QStringLiteral("folder"), tr("Open another index"), QStringLiteral("openData"));
  auto* import = iconButton(QStringLiteral("plus"), tr("Import recordings"), QStringLiteral("importData"));
  title->addWidget(import);
  title->addWidget(open);
  side->addLayout(title);
  side->addWidget(verticalScroll(m_facets), 1);
  setTabOrder(import, open);
  m_facets->comeAfter(open);
  connect(open, &QToolButton::clicked, this, &DataPage::openRequested);
  connect(import, &QToolButton::clicked, this, &DataPage::importRequested);
  return m_facetSide;
}

QWidget* DataPage::makeBrowser() {
  auto* page = new QWidget;
  m_grid = new ImageGrid;
  m_nothing = new QLabel(tr("No image matches. Loosen the query, or clear it with Esc."));
  m_nothing->setForegroundRole(QPalette::PlaceholderText);
  m_nothing->setAlignment(Qt::AlignCenter);
  m_nothing->setWordWrap(true);
  m_middle = new QStackedWidget;
  m_middle->addWidget(m_grid);
  m_middle->addWidget(m_nothing);
  m_inspector = new Inspector(true);
  m_inspector->setObjectName(QStringLiteral("inspector"));
  m_bar = new DataBar;
  m_query = m_bar->query();
  m_size = m_bar->size();
  auto* centre = new QWidget;
  auto* centreLayout = column(centre, 0);
  centreLayout->addWidget(m_bar);
  centreLayout->addWidget(separator());
  centreLayout->addWidget(m_middle, 1);
  m_split = new QSplitter(Qt::Horizontal);
  m_split->setObjectName(QStringLiteral("dataSplitter"));
  m_split->addWidget(makeSide());
  m_split->addWidget(centre);
  m_split->addWidget(m_inspector);
  m_split->setStretchFactor(1, 1);
  m_split->setSizes({260, 900, 320});
  m_split->setChildrenCollapsible(false);
  auto* layout = column(page, 0);
  layout->addWidget(m_split);
  connectBrowser();
  connectMarks(m_inspector, false);
  connectMarks(m_sample->inspector(), true);
  return page;
}

void DataPage::connectBrowser() {
  const auto toggle = [this](const QWidget* panel, void (DataPage::*open)()) {
    m_drawer->shows(panel) ? m_drawer->close() : emit(this->*open)();
    m_bar->setOpen(m_drawer->shows(m_quality), m_drawer->shows(m_export));
  };
  connect(m_bar, &DataBar::exportRequested, this, [this, toggle] { toggle(m_export, &DataPage::exportRequested); });
  connect(m_bar, &DataBar::trainRequested, this, &DataPage::trainRequested);
  connect(m_bar, &DataBar::qualityRequested, this, [this, toggle] { toggle(m_quality, &DataPage::qualityRequested); });
  connect(m_bar, &DataBar::boxesShown, m_grid, &ImageGrid::setBoxesShown);
  connect(m_bar, &DataBar::groupedChanged, this, &DataPage::setGrouped);
  connect(m_bar, &DataBar::saveViewRequested, this, &DataPage::saveViewRequested);
  connect(m_bar, &DataBar::removeViewRequested, this, &DataPage::removeViewRequested);
  connect(m_size, &QSlider::valueChanged, this, [this](int width) {
    m_grid->setTileWidth(width);
    emit thumbnailWidthChanged(width);
  });
  connect(m_query, &QueryLine::applied, this, &DataPage::queryApplied);
  connect(m_query, &QueryLine::applied, this, [this](const QString& query) {
    if (query != m_instead && !m_insteadText.isEmpty() && m_notice->text() == m_insteadText) m_notice->clear();
  });
  connect(m_query, &QueryLine::left, this, [this] {
    if (m_grid->isVisible()) m_grid->setFocus();  // where nothing matches, one goes on typing
  });
  connect(m_grid, &ImageGrid::menuRequested, this, &DataPage::showMenu);
  m_sample->view()->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_sample->view(), &QWidget::customContextMenuRequested, this,
          [this](const QPoint& at) { showMenu(m_sample->view()->mapToGlobal(at)); });
  connect(m_facets, &FacetPanel::toggled, this, [this](const QString& field, const QString& value) {
    m_query->setText(toggleFacetValue(m_query->text(), field, value));
  });
  connect(m_facets, &FacetPanel::heightsChosen, this, [this](int low, int high) {
    m_query->setText(setQueryRange(m_query->text(), RangeField::BoxHeight, low, high));
  });
  connect(m_facets, &FacetPanel::countsChosen, this, [this](int low, int high) {
    m_query->setText(setQueryRange(m_query->text(), RangeField::BoxCount, low, high));
  });
  connect(m_grid, &ImageGrid::currentChanged, this, &DataPage::showCurrent);
  connect(m_grid, &ImageGrid::selectionChanged, this, [this] {
    m_inspector->marks()->setChosen(m_grid->selectedImages().size());
    m_query->setSelected(m_grid->selectedImages().size());
  });
  connect(m_grid, &ImageGrid::activated, this, &DataPage::openSample);
  connect(m_sample, &SampleView::imageChanged, this, &DataPage::marksWanted);
}

void DataPage::setHistograms(const QString& query, const data::Histogram& heights, const data::Histogram& boxes) {
  m_facets->setHistograms(heights, boxes, query);
}

void DataPage::showInstead(const QString& query, const QString& what) {
  const QString former = m_query->text();
  m_instead = query;
  m_query->setText(query);
  if (former == query) return;
  const QString shown = fontMetrics().elidedText(former, Qt::ElideRight, kFormerWidth);
  m_insteadText = former.isEmpty() ? what : tr("%1 Before, the query was: %2").arg(what, shown);
  m_notice->show(NoticeBar::Kind::Info, m_insteadText);
  m_notice->offer(former.isEmpty() ? tr("Show all images") : tr("Back to that query"),
                  [this, former] { m_query->setText(former); });
}

// Where nothing inside wanted Esc: the drawer goes first, then a query that matches nothing.
bool DataPage::goBack() {
  if (!m_drawer->isHidden()) return m_drawer->close(), true;
  if (!m_nothing->isVisible() || m_query->text().isEmpty()) return false;
  m_query->setText({});
  return true;
}

void DataPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && goBack()) return;
  if (m_index && event->modifiers() == Qt::NoModifier && markByKey(event->key())) return;
  QWidget::keyPressEvent(event);
}

void DataPage::setGrouped(bool grouped) {
  if (std::exchange(m_grouped, grouped) == grouped) return;
  m_bar->setGrouped(grouped);
  showImages(false);
  m_grid->setCurrentRow(m_grid->currentRow());  // into sight
  emit groupedChanged(grouped);
}

void DataPage::setLosses(std::shared_ptr<const data::ImageLosses> losses) {
  m_grid->setFigure(losses ? [losses](data::ImageId image) { return lossOnTile(*losses, image); }
                           : ImageGrid::Figure());
  m_inspector->setLosses(losses);
  m_sample->inspector()->setLosses(losses);
}

LossMenu* DataPage::lossMenu() const { return m_bar->losses(); }

void DataPage::setQueryError(const data::QueryError& error) { m_query->setError(error); }

void DataPage::setImporting(const QString& what) {
  m_empty->setActionsShown(what.isEmpty());  // one import at a time
  if (what.isEmpty()) {
    m_empty->setTexts(tr("No data open"), invitation());
  } else {
    m_empty->setTexts(tr("Importing"), what);
  }
}

void DataPage::setMissing(const QString& folder) {
  m_empty->setTexts(
      tr("The data of last time is not there"),
      tr("%1 was moved or deleted. Open it where it is now, or import its recordings again.").arg(folder));
}

QString DataPage::query() const { return m_query->text(); }

void DataPage::setThumbnailWidth(int width) { m_size->setValue(width); }

void DataPage::showCurrent(std::size_t row) {
  if (row >= m_grid->images()->size()) return m_inspector->setImage({});
  const data::ImageId image = (*m_grid->images())[row];
  m_inspector->setImage(image);
  m_inspector->setPicture(m_thumbnails ? m_thumbnails->picture(image) : QPixmap());
  emit marksWanted(image);
}

void DataPage::openSample() {
  if (const auto image = m_grid->currentImage()) showSample(*image);
}

void DataPage::showSample(data::ImageId image) {
  m_stack->setCurrentWidget(m_sample);
  m_sample->showImage(image);
  m_sample->setFocus();
}

void DataPage::closeSample() {
  m_sample->stopPlaying();
  if (!showsSample()) return;
  m_stack->setCurrentWidget(m_browser);
  if (const auto image = m_sample->image()) {
    const auto& images = *m_grid->images();
    const auto at = std::find(images.begin(), images.end(), *image);
    if (at != images.end()) m_grid->setCurrentRow(static_cast<std::size_t>(at - images.begin()));
  }
  m_grid->setFocus();
}

void DataPage::focusMain() {
  if (!m_index) return m_empty->setFocus();
  if (showsSample()) return m_sample->isAncestorOf(window()->focusWidget()) ? void() : m_sample->setFocus();
  m_grid->isVisible() ? m_grid->setFocus() : setFocus();
}

// What comes by itself takes the keys from nobody who types, and from no panel at the side.
void DataPage::offerFocus() {
  const QWidget* now = window()->focusWidget();
  const bool free = !now || now == this || !now->isVisible() || m_stack->isAncestorOf(now);
  if (isVisible() && free && !isTypedInto(now)) focusMain();
}

bool DataPage::showsSample() const { return m_stack->currentWidget() == m_sample; }
void DataPage::setFacetsShown(bool shown) { m_facetSide->setVisible(shown); }

void DataPage::setInspectorShown(bool shown) {
  m_inspectorShown = shown;
  showInspector(!m_drawer->isHidden());
}

}  // namespace roadtune::widgets
