// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/sample_view.h"

#include "core/base/units.h"
#include "widgets/canvas/camera_strip.h"
#include "widgets/canvas/frame_timeline.h"
#include "widgets/canvas/image_view.h"
#include "widgets/canvas/picture_pool.h"
#include "widgets/canvas/tile_text.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/theme.h"
#include "widgets/panels/data/inspector.h"
#include "widgets/panels/data/layer_menu.h"
#include "widgets/panels/data/prediction_menu.h"
#include "widgets/panels/data/prediction_strip.h"

#include <QActionGroup>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {

SampleView::SampleView(QWidget* parent)
    : QWidget(parent),
      m_images(std::make_shared<std::vector<data::ImageId>>()),
      m_view(new ImageView),
      m_strip(new CameraStrip),
      m_timeline(new FrameTimeline),
      m_inspector(new Inspector(false)),
      m_predictions(new PredictionStrip),
      m_layerNote(secondaryLabel({})) {
  setObjectName(QStringLiteral("sampleView"));
  setFocusPolicy(Qt::StrongFocus);
  m_view->setObjectName(QStringLiteral("sampleImage"));
  m_view->setLabelsShown(true);
  auto* left = surface();
  auto* leftLayout = column(left, 0);
  auto* bar = makeBar();
  leftLayout->addWidget(m_view, 1);
  leftLayout->addWidget(separator());
  m_layerNote->setObjectName(QStringLiteral("layerNote"));
  m_layerNote->setWordWrap(true);
  m_layerNote->setContentsMargins(12, 4, 12, 4);
  m_layerNote->hide();
  leftLayout->addWidget(m_layerNote);
  leftLayout->addWidget(m_predictions);
  leftLayout->addWidget(m_modelStrip);
  leftLayout->addWidget(m_timeline);
  leftLayout->addWidget(m_strip);
  auto* split = new QSplitter(Qt::Horizontal);
  split->setObjectName(QStringLiteral("sampleSplitter"));
  split->addWidget(left);
  split->addWidget(m_inspector);
  split->setStretchFactor(0, 1);
  split->setSizes({1000, 300});
  split->setChildrenCollapsible(false);
  auto* layout = column(this, 0);
  layout->addWidget(bar);
  layout->addWidget(separator());
  layout->addWidget(split, 1);
  connect(m_strip, &CameraStrip::chosen, this, &SampleView::showImage);
  connect(m_timeline, &FrameTimeline::frameChosen, this, &SampleView::stepFrame);
  connect(m_inspector, &Inspector::boxSelected, this,
          [this](int box) { m_view->highlight(box < 0 ? std::nullopt : std::optional<std::size_t>(box)); });
  connect(m_view, &ImageView::boxHovered, m_inspector, &Inspector::highlight);
}

QWidget* SampleView::makeBar() {
  auto* bar = surface();
  auto* back = iconButton(QStringLiteral("chevron-left"), tr("Back to the grid (Esc)"), QStringLiteral("sampleBack"));
  m_title = new ElidedLabel;
  m_title->setObjectName(QStringLiteral("sampleTitle"));
  m_title->setFont(strongFont());
  auto* previous =
      iconButton(QStringLiteral("previous"), tr("Previous image (Left, A)"), QStringLiteral("samplePrevious"));
  auto* next = iconButton(QStringLiteral("next"), tr("Next image (Right, D)"), QStringLiteral("sampleNext"));
  m_boxes = iconButton(QStringLiteral("boxes"), tr("Boxes (H)"), QStringLiteral("sampleBoxes"));
  m_boxes->setCheckable(true);
  m_boxes->setChecked(true);
  m_labels = iconButton(QStringLiteral("tag"), tr("Names of the boxes (L)"), QStringLiteral("sampleLabels"));
  m_labels->setCheckable(true);
  m_labels->setChecked(true);
  auto* fit = iconButton(QStringLiteral("fit"), tr("Fit the image (F, or double click)"), QStringLiteral("sampleFit"));
  auto* layout = row(bar, 4);
  layout->setContentsMargins(8, 6, 12, 6);
  for (QWidget* part : {static_cast<QWidget*>(back), static_cast<QWidget*>(m_title)})
    layout->addWidget(part, part == m_title ? 1 : 0);
  layout->addWidget(previous);
  layout->addWidget(next);
  layout->addSpacing(8);
  layout->addWidget(m_boxes);
  layout->addWidget(m_labels);
  layout->addWidget(makeColours());
  QToolButton* predictions = makePredictions();
  layout->addWidget(makeLayers());
  layout->addWidget(predictions);
  layout->addWidget(m_model = makeModelSides());
  layout->addWidget(fit);
  connect(back, &QToolButton::clicked, this, &SampleView::backRequested);
  connect(previous, &QToolButton::clicked, this, [this] { step(-1); });
  connect(next, &QToolButton::clicked, this, [this] { step(1); });
  connect(m_boxes, &QToolButton::toggled, m_view, &ImageView::setBoxesShown);
  connect(m_labels, &QToolButton::toggled, m_view, &ImageView::setLabelsShown);
  connect(fit, &QToolButton::clicked, m_view, &ImageView::fit);
  return bar;
}

QToolButton* SampleView::makeColours() {
  auto* button = iconButton(QStringLiteral("theme"), tr("Colours of the boxes"), QStringLiteral("sampleColours"));
  auto* menu = new QMenu(button);
  auto* group = new QActionGroup(menu);
  const std::pair<QString, BoxColour> choices[] = {
      {tr("By class"), BoxColour::Class}, {tr("By track"), BoxColour::Track}, {tr("By difficulty"), BoxColour::Level}};
  for (const auto& [text, colour] : choices) {
    QAction* action = menu->addAction(text, this, [this, colour = colour] { m_view->setBoxColour(colour); });
    action->setCheckable(true);
    action->setChecked(colour == BoxColour::Class);
    group->addAction(action);
  }
  button->setMenu(menu);
  return button;
}

QToolButton* SampleView::makePredictions() {
  auto* button =
      iconButton(QStringLiteral("adapter"), tr("Predictions over the image"), QStringLiteral("samplePredictions"));
  m_predictionMenu = new PredictionMenu(button);
  button->setMenu(m_predictionMenu);
  const auto none = [this] { setPredictions(nullptr, {}); };
  connect(m_predictionMenu, &PredictionMenu::noneChosen, this, none);
  connect(m_predictions, &PredictionStrip::closed, this, none);
  connect(m_predictions, &PredictionStrip::changed, this, [this] {
    m_view->setPredictions(m_predictions->active() ? std::optional(m_predictions->onImage()) : std::nullopt);
  });
  return button;
}

// One place for all of it; what is switched most often has a button of its own beside it.
QToolButton* SampleView::makeLayers() {
  auto* button = iconButton(QStringLiteral("layers"), tr("Layers over the image"), QStringLiteral("sampleLayers"));
  m_layers = new LayerMenu(m_predictionMenu, button);
  button->setMenu(m_layers);
  const auto follow = [](QAction* action, QToolButton* other) {
    connect(action, &QAction::toggled, other, &QToolButton::setChecked);
    connect(other, &QToolButton::toggled, action, &QAction::setChecked);
  };
  follow(m_layers->camera(), m_boxes);
  follow(m_layers->names(), m_labels);
  connect(m_layers->projected(), &QAction::toggled, this, [this](bool shown) {
    m_view->setProjectedShown(shown);
    refreshLayerNote();
    emit projectedToggled(shown);
  });
  return button;
}

bool SampleView::projectedShown() const { return m_layers->projected()->isChecked(); }
void SampleView::setProjectedShown(bool shown) { m_layers->projected()->setChecked(shown); }

// Why a layer that is on shows nothing.
void SampleView::refreshLayerNote() {
  QString note;
  if (m_index && m_image && projectedShown()) {
    const data::Segment& segment = m_index->segment(m_index->image(*m_image).segment);
    if (!segment.info().format.starts_with("waymo"))
      note = tr("Only recordings of Waymo tell what their laser saw.");
    else if (!segment.hasProjected())
      note = tr("This index was made before labels of the laser were kept. Import its recordings again to see them.");
    else if (m_index->projected(*m_image).empty())
      note = tr("No label of the laser lies in this image.");
  }
  m_layerNote->setText(note);
  m_layerNote->setVisible(!note.isEmpty());
}

void SampleView::setPredictions(std::shared_ptr<const data::PredictionSet> set, const QString& name) {
  m_predictions->setSet(std::move(set), name);
}

void SampleView::setIndex(std::shared_ptr<const data::Index> index, PicturePool* thumbnails, PicturePool* full) {
  stopPlaying();
  if (m_full) m_full->disconnect(this);
  m_index = std::move(index);
  m_thumbnails = thumbnails;
  m_full = full;
  m_image.reset();
  m_timelineOf.reset();
  setPredictions(nullptr, {});
  m_view->setIndex(m_index);
  m_strip->setIndex(m_index, thumbnails);
  m_inspector->setIndex(m_index);
  if (m_full)
    connect(m_full, &PicturePool::ready, this, [this](quint32 image) {
      if (m_image == image) refreshPicture();
    });
}

void SampleView::setImages(ImageList images) { m_images = std::move(images); }

void SampleView::showImage(data::ImageId image) {
  if (!m_index) return;
  m_image = image;
  const data::ImageInfo info = m_index->image(image);
  const QString segment = QString::fromStdString(m_index->segment(info.segment).info().name);
  m_title->setText(tileText(*m_index, info) + QStringLiteral("  ·  ") + segment);
  m_inspector->setImage(image);
  m_predictions->setImage(image);
  refreshTimeline();
  m_strip->setImage(image);
  refreshPicture();
  refreshLayerNote();
  refreshModelText();
  std::vector<data::ImageId> wanted{image};
  if (const auto next = m_index->neighbour(image, 1)) wanted.push_back(*next);
  if (const auto before = m_index->neighbour(image, -1)) wanted.push_back(*before);
  if (m_full) m_full->want(wanted);
  emit imageChanged(image);
}

void SampleView::refreshPicture() {
  if (!m_image || !m_full) return;
  const QPixmap sharp = m_full->picture(*m_image);
  const bool playing = m_timeline->playing();
  m_view->setImage(m_image, !sharp.isNull() || playing ? sharp : m_thumbnails->picture(*m_image));
  if (const QString failure = m_full->failure(*m_image); !failure.isEmpty())
    m_view->setMessage(tr("This image cannot be shown.\n%1").arg(failure));
}

void SampleView::refreshTimeline() {
  const data::ImageInfo info = m_index->image(*m_image);
  const auto key = std::make_pair(info.segment, info.camera);
  if (m_timelineOf != key) {
    m_timelineOf = key;
    m_track.clear();
    std::vector<int> counts;
    const data::ImageId last = m_index->firstImage(info.segment + 1);
    for (data::ImageId image = m_index->firstImage(info.segment); image < last; ++image) {
      const data::ImageInfo other = m_index->image(image);
      if (other.camera != info.camera) continue;
      m_track.push_back(image);
      counts.push_back(static_cast<int>(other.boxCount));
    }
    m_timeline->setCounts(std::move(counts));
    m_timeline->setVisible(m_track.size() > 1 && isFilmed(info));
  }
  const auto at = std::lower_bound(m_track.begin(), m_track.end(), *m_image);
  m_timeline->setFrame(static_cast<int>(at - m_track.begin()));
}

void SampleView::step(int by) {
  if (!m_image || m_images->empty()) return;
  stopPlaying();
  const auto at = std::find(m_images->begin(), m_images->end(), *m_image);
  const auto here = at == m_images->end() ? 0 : at - m_images->begin() + by;
  const auto next = std::clamp<std::ptrdiff_t>(here, 0, static_cast<std::ptrdiff_t>(m_images->size()) - 1);
  showImage((*m_images)[static_cast<std::size_t>(next)]);
}

void SampleView::stepToEnd(bool last) {
  if (m_images->empty()) return;
  stopPlaying();
  showImage(last ? m_images->back() : m_images->front());
}

void SampleView::stepFrame(int frame) {
  if (frame < 0 || frame >= static_cast<int>(m_track.size())) return;
  showImage(m_track[static_cast<std::size_t>(frame)]);
}

void SampleView::stopPlaying() { m_timeline->stop(); }

void SampleView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Space:  // what opened it
    case Qt::Key_Escape: emit backRequested(); return;
    case Qt::Key_Home: stepToEnd(false); return;
    case Qt::Key_End: stepToEnd(true); return;
    case Qt::Key_Left:
    case Qt::Key_A: step(-1); return;
    case Qt::Key_Right:
    case Qt::Key_D: step(1); return;
    case Qt::Key_H: m_boxes->toggle(); return;
    case Qt::Key_L: m_labels->toggle(); return;
    case Qt::Key_J: m_layers->projected()->toggle(); return;
    case Qt::Key_F: m_view->fit(); return;
    case Qt::Key_P:
      if (!m_timeline->isHidden()) m_timeline->togglePlay();
      return;
    case Qt::Key_M: m_model->showMenu(); return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: m_view->zoomBy(1.25, QRectF(m_view->rect()).center()); return;
    case Qt::Key_Minus: m_view->zoomBy(0.8, QRectF(m_view->rect()).center()); return;
    default: QWidget::keyPressEvent(event);
  }
}

void SampleView::hideEvent(QHideEvent*) { stopPlaying(); }

}  // namespace roadtune::widgets
