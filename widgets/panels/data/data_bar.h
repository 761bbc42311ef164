// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QPair>
#include <QString>
#include <QWidget>

class QAction;
class QLabel;
class QMenu;
class QSlider;
class QToolButton;

namespace roadtune::widgets {

class LossMenu;
class QueryLine;
class WrapLayout;

// Above the grid: the query over the whole width, and below it how many there are, their order, saved views, and how
// they are shown.
class DataBar : public QWidget {
  Q_OBJECT
 public:
  explicit DataBar(QWidget* parent = nullptr);
  QueryLine* query() const { return m_query; }
  QSlider* size() const { return m_size; }
  LossMenu* losses() const { return m_losses; }
  void setViews(const QList<QPair<QString, QString>>& views);
  void setGrouped(bool grouped);
  void setOpen(bool quality, bool exporting);  // which of the panels is open
  void refreshSort();                          // after the query changed

 signals:
  void qualityRequested();
  void exportRequested();
  void trainRequested();
  void boxesShown(bool shown);
  void groupedChanged(bool grouped);  // by segment
  void saveViewRequested(const QString& name, const QString& query);
  void removeViewRequested(const QString& name);

 protected:
  bool event(QEvent* event) override;

 private:
  QToolButton* makeSort();
  void fitWords();
  void refillViews();
  void askViewName();
  QueryLine* m_query;
  QSlider* m_size;
  LossMenu* m_losses = nullptr;
  QAction* m_grouped = nullptr;
  QToolButton *m_quality = nullptr, *m_export = nullptr;
  QToolButton* m_sort;
  QToolButton *m_viewButton, *m_train = nullptr;
  WrapLayout* m_below = nullptr;
  int m_wordsWidth = 0;  // what the words of the two take, while they show their pictures only
  QMenu* m_views;
  QList<QPair<QString, QString>> m_saved;
};

}  // namespace roadtune::widgets
