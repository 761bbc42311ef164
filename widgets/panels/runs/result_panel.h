// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/runs/run_result.h"

#include <QList>
#include <QPair>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace roadtune::widgets {

class WrapLayout;

// Asks, below the header, for what is needed to make something of a run.
class ResultPanel : public QWidget {
  Q_OBJECT
 public:
  struct Offer {
    RunResult kind = RunResult::Report;
    QString run, name;                           // folder and name
    QList<QPair<QString, QString>> checkpoints;  // word and folder, the best choice first
    QString base;                                // model of the adapters; empty: checkpoints are whole models
    QString data, query;                         // to predict for
    QString to;                                  // suggestion
    QString problem;                             // why it cannot be done; empty: it can
  };
  struct Wish {
    RunResult kind = RunResult::Report;
    QString run, name, base, checkpoint, data, query, to;
    int limit = 0;  // images at most; 0: all
  };

  explicit ResultPanel(QWidget* parent = nullptr);
  void open(const Offer& offer);

 signals:
  void wanted(const roadtune::widgets::ResultPanel::Wish& wish);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void addField(const QString& words, QWidget* field, int width = 0);  // 0: it takes what room there is
  void browse();
  void refresh();
  void accept();
  Offer m_offer;
  QLabel *m_title, *m_note;
  QComboBox* m_checkpoint;
  QLineEdit *m_data, *m_query, *m_to;
  QSpinBox* m_limit;
  QPushButton* m_start;
  WrapLayout* m_fields;
};

}  // namespace roadtune::widgets
