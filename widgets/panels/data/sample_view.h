// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/eval/prediction_set.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/model_tokens.h"

#include <QWidget>

class QLabel;
class QScrollArea;
class QToolButton;

namespace roadtune::widgets {

class CameraStrip;
class ElidedLabel;
class FrameTimeline;
class ImageView;
class Inspector;
class LayerMenu;
class PredictionMenu;
class PredictionStrip;
class TokenView;

// One image large, its boxes, the other cameras of the frame, and the segment to play. Moves through the query's
// images with previous and next.
class SampleView : public QWidget {
  Q_OBJECT
 public:
  explicit SampleView(QWidget* parent = nullptr);
  void setIndex(std::shared_ptr<const data::Index> index, PicturePool* thumbnails, PicturePool* full);
  void setImages(ImageList images);
  void showImage(data::ImageId image);
  std::optional<data::ImageId> image() const { return m_image; }
  ImageView* view() const { return m_view; }
  Inspector* inspector() const { return m_inspector; }
  FrameTimeline* timeline() const { return m_timeline; }
  PredictionMenu* predictionMenu() const { return m_predictionMenu; }
  PredictionStrip* predictionStrip() const { return m_predictions; }
  bool projectedShown() const;
  void setProjectedShown(bool shown);  // the layer of laser labels
  void setPredictions(std::shared_ptr<const data::PredictionSet> set, const QString& name);  // null: none
  void stopPlaying();
  void askTokens();  // of what the model sees, while that is shown
  void setTokens(const ModelTokens& tokens);

 signals:
  void imageChanged(quint32 image);
  void backRequested();
  void projectedToggled(bool shown);
  void tokensWanted(const QString& prompt, const QString& target, int side);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* makeBar();
  QToolButton* makeColours();
  QToolButton* makeModelSides();
  void makeModelStrip();
  QToolButton* makePredictions();
  QToolButton* makeLayers();
  void refreshLayerNote();
  void refreshModelText();
  void step(int by);  // in the query
  void stepToEnd(bool last);
  void stepFrame(int frame);  // in the segment
  void refreshPicture();
  void refreshTimeline();

  std::shared_ptr<const data::Index> m_index;
  PicturePool* m_thumbnails = nullptr;
  PicturePool* m_full = nullptr;
  ImageList m_images;
  std::optional<data::ImageId> m_image;
  std::optional<std::pair<std::uint32_t, data::Camera>> m_timelineOf;
  std::vector<data::ImageId> m_track;  // images of the segment taken by the same camera
  ImageView* m_view;
  CameraStrip* m_strip;
  FrameTimeline* m_timeline;
  Inspector* m_inspector;
  PredictionStrip* m_predictions;
  PredictionMenu* m_predictionMenu = nullptr;
  LayerMenu* m_layers = nullptr;
  QLabel* m_layerNote;
  ElidedLabel* m_title = nullptr;
  QToolButton* m_boxes = nullptr;
  QToolButton* m_labels = nullptr;
  QToolButton* m_model = nullptr;
  QWidget* m_modelStrip = nullptr;
  QLabel *m_modelFacts = nullptr, *m_promptText = nullptr, *m_tokenNote = nullptr;
  QToolButton* m_copyTokens = nullptr;
  ElidedLabel* m_targetText = nullptr;
  QString m_prompt, m_target;
  TokenView* m_tokens = nullptr;
  QScrollArea* m_tokenScroll = nullptr;
};

}  // namespace roadtune::widgets
