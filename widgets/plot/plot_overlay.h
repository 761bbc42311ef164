// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include <optional>
#include <vector>

namespace roadtune::widgets {

// Lies over a plot's drawing area: takes the mouse, and draws the crosshair and the zoom box, so that moving the mouse
// never redraws curves. Speaks in pixels of itself.
class PlotOverlay : public QWidget {
  Q_OBJECT
 public:
  struct Dot {
    double x, y;
    QColor colour;
  };
  explicit PlotOverlay(QWidget* parent = nullptr);
  void setCrosshair(double x, const std::vector<Dot>& dots, const QString& label);
  void clearCrosshair();
  void setSentence(const QString& sentence);  // in place of curves

 signals:
  void hovered(double x);
  void left();
  void boxZoomed(double from, double to);
  void wheelZoomed(double x, double factor);
  void panned(double pixels);
  void fitRequested();
  void keyMoved(int steps);
  void clicked(double x);
  void clickTakenBack();                 // it was the first half of a double click
  void menuRequested(const QPoint& at);  // on the screen

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void openMenuByKey();
  enum class Drag { None, Zoom, Pan };
  Drag m_drag = Drag::None;
  double m_from = 0, m_at = 0;
  bool m_clicked = false;  // by what the mouse did last
  std::optional<double> m_cross;
  std::vector<Dot> m_dots;
  QString m_label, m_sentence;
};

}  // namespace roadtune::widgets
