// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include <vector>

class QTimer;
class QToolButton;

namespace roadtune::widgets {

// The frames of a segment on a line: a bar per frame for its number of boxes, a mark for the one on show, play at the
// rate of the recording.
class FrameTimeline : public QWidget {
  Q_OBJECT
 public:
  explicit FrameTimeline(QWidget* parent = nullptr);
  void setCounts(std::vector<int> boxesPerFrame);
  void setFrame(int frame);
  int frame() const { return m_frame; }
  int frames() const { return static_cast<int>(m_counts.size()); }
  bool playing() const;

 public slots:
  void togglePlay();
  void stop();

 signals:
  void frameChosen(int frame);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  QSize sizeHint() const override { return {400, 44}; }

 private:
  QRectF track() const;
  void choose(double x);
  std::vector<int> m_counts;
  int m_frame = 0, m_most = 1;
  QToolButton* m_play;
  QTimer* m_timer;
};

}  // namespace roadtune::widgets
