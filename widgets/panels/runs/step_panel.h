// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"
#include "widgets/panels/runs/step_facts.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace roadtune::widgets {

class ImageGrid;
class PicturePool;
class TableModel;

// One step: its numbers, what the ranks printed about it, and the samples it learnt from, the hardest first, as
// pictures with their boxes where they are images of the index on show.
class StepPanel : public QWidget {
  Q_OBJECT
 public:
  explicit StepPanel(QWidget* parent = nullptr);
  ~StepPanel() override;
  void setFacts(const StepFacts& facts);
  void clear();
  void setIndex(std::shared_ptr<const data::Index> index);  // null: no pictures
  TableModel* values() const { return m_values; }
  TableModel* samples() const { return m_samples; }

 signals:
  void imagesRequested(const QStringList& samples);
  void tagRequested(const std::vector<roadtune::data::ImageId>& images, const QString& tag, bool on);
  void noteWanted(quint32 image);
  void leaveOutRequested(const std::vector<roadtune::data::ImageId>& images);  // of training

 private:
  QString nameOf(const QString& sample, std::optional<data::ImageId> image) const;
  void showSamples();
  void showMenu(const QPoint& at);
  void askTag(const std::vector<data::ImageId>& images);
  QLabel* m_title;
  QPushButton* m_show;
  TableModel* m_values;
  TableModel* m_samples;
  QPlainTextEdit* m_log;
  ImageGrid* m_grid;
  std::shared_ptr<const data::Index> m_index;
  std::unique_ptr<PicturePool> m_pool;  // made when the first pictures are shown
};

}  // namespace roadtune::widgets
