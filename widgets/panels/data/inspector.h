// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/image_losses.h"

#include <QHash>
#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>
#include <string_view>

class QGridLayout;
class QLabel;
class QTreeView;

namespace roadtune::widgets {

class ElidedLabel;
class ImageView;
class MarksPanel;
class TableModel;

// One image in words: a preview, where and when it was taken, and its boxes.
class Inspector : public QWidget {
  Q_OBJECT
 public:
  explicit Inspector(bool withPreview, QWidget* parent = nullptr);
  void setIndex(std::shared_ptr<const data::Index> index);
  void setImage(std::optional<data::ImageId> image);
  void setPicture(const QPixmap& picture);
  void setLosses(std::shared_ptr<const data::ImageLosses> losses);  // that the images are in the order of; null: none
  void highlight(int box);                                          // -1: none
  MarksPanel* marks() const { return m_marks; }

 signals:
  void boxSelected(int box);
  void openRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showWords(std::string_view question, std::string_view answer);
  QLabel* addFact(QGridLayout* grid, const QString& name);
  void showFact(QLabel* value, bool shown);
  void showLoss();
  std::shared_ptr<const data::Index> m_index;
  std::optional<data::ImageId> m_image;
  ImageView* m_preview;
  ElidedLabel* m_segment;
  QLabel* m_when;
  QLabel* m_camera;
  QLabel* m_size;
  QLabel* m_conditions;
  QLabel* m_loss;
  QHash<QLabel*, QWidget*> m_names;  // of the facts
  std::shared_ptr<const data::ImageLosses> m_losses;
  MarksPanel* m_marks;
  QLabel* m_words;  // of a question and its answer
  QLabel* m_count;
  TableModel* m_boxes;
  QTreeView* m_table;
};

}  // namespace roadtune::widgets
