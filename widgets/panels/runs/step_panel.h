// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"
#include "widgets/panels/runs/step_facts.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace roadtune::widgets {

class ImageGrid;
class PicturePool;
class TableModel;

// One step: its numbers, what the ranks printed about it, and the samples it learnt from, the hardest first, as
// pictures with their boxes where they are images of the index on show, or of the one that the run learnt from.
class StepPanel : public QWidget {
  Q_OBJECT
 public:
  explicit StepPanel(QWidget* parent = nullptr);
  ~StepPanel() override;
  void setFacts(const StepFacts& facts);
  void clear();
  void setIndex(std::shared_ptr<const data::Index> index);     // on show on the Data page; may be null
  void setOwnIndex(std::shared_ptr<const data::Index> index);  // that the run learnt from: where the other has nothing
  std::int64_t shownStep() const { return m_step; }            // -1: none
  // Did the step on show learn from one of these?
  bool learntFrom(const data::Index& index, const std::vector<data::ImageId>& images) const;
  TableModel* values() const { return m_values; }
  TableModel* samples() const { return m_samples; }

 signals:
  void picturesWanted(const QStringList& samples);  // which no index here knows
  void imagesRequested(const QStringList& samples);
  void tagRequested(const std::vector<roadtune::data::ImageId>& images, const QString& tag, bool on);
  void noteWanted(quint32 image);
  void leaveOutRequested(const std::vector<roadtune::data::ImageId>& images);  // of training

 private:
  std::vector<std::string> sampleNames() const;
  void showSamples();
  std::shared_ptr<const data::Index> indexWith(const std::vector<std::string_view>& names) const;
  void showMenu(const QPoint& at);
  void askTag(const std::vector<data::ImageId>& images);
  std::int64_t m_step = -1;
  QLabel* m_title;
  QPushButton* m_show;
  TableModel* m_values;
  TableModel* m_samples;
  QLabel* m_logNote;
  QPlainTextEdit* m_log;
  ImageGrid* m_grid;
  std::shared_ptr<const data::Index> m_index, m_own;
  std::shared_ptr<const data::Index> m_shown;  // that of the two whose images are on show
  std::unique_ptr<PicturePool> m_pool;         // made when the first pictures are shown
};

}  // namespace roadtune::widgets
