// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointer>
#include <QWidget>

namespace roadtune::widgets {

// A panel that floats over the window it belongs to; Esc or a click beside it closes it and gives the focus back.
// Not a window of its own: it blocks nothing.
class Overlay : public QWidget {
  Q_OBJECT
 public:
  explicit Overlay(QWidget* window);
  QWidget* panel() const { return m_panel; }
  void open();
  void close();
  bool isOpen() const { return isVisible(); }

 signals:
  void closed();

 protected:
  static constexpr int kBeside = 48;  // of the window is not covered by the panel, at least
  virtual QSize panelSize(const QSize& window) const = 0;
  virtual void onOpen() {}
  virtual bool staysOpen() const { return false; }  // below another one that opens
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void place();  // anew, where what is in it has grown or shrunk

 private:
  QWidget* m_panel;
  QPointer<QWidget> m_focusBefore;
};

}  // namespace roadtune::widgets
