// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/common/class_looks.h"
#include "widgets/panels/data/quality_report.h"
#include "widgets/panels/data/work_progress.h"

#include <QWidget>

#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace roadtune::widgets {

class QualityRow;

// What the data is worth for training: too small to learn, balance, empties, long answers, near-duplicates. A click on
// a figure asks for the images behind it. Shows a report, measures nothing.
class QualityPanel : public QWidget {
  Q_OBJECT
 public:
  explicit QualityPanel(QWidget* parent = nullptr);
  void setClasses(const std::vector<std::string>& names);  // of the data, in its order
  void setReport(QualityReportPtr report);                 // null: none yet
  void setModel(const QString& folder);                    // suggested for counting tokens
  void setFailure(const QString& what);
  void setNarrowed(bool narrowed);  // a query finds a part of the images that the figures are about
  void begin(const QString& what);
  WorkProgress* progress() const { return m_progress; }

 signals:
  void queryChosen(const QString& query);
  void compareRequested();                                   // pictures, to find those that look alike
  void countRequested(const QString& model, int maxLength);  // tokens
  void modelRequested();
  void cancelRequested();

 private:
  QVBoxLayout* addSection(const QString& title, const QString& about, QWidget* beside = nullptr);
  void makeTokens();
  void fillSizes();
  void fillBalance();
  void fill(QVBoxLayout* into, const QList<QualityFigure>& figures, const QString& name);
  void place(QVBoxLayout* into, QualityRow* row, const QString& name);
  ClassColours m_colours;  // none for all of them together
  QualityReportPtr m_report;
  WorkProgress* m_progress;
  QLabel* m_failure;
  QLabel* m_whole;
  bool m_narrowed = false;
  QWidget* m_body;
  QVBoxLayout* m_sections;
  QVBoxLayout* m_sizes;
  QVBoxLayout* m_images;
  QVBoxLayout* m_balance;
  QComboBox* m_field;
  QVBoxLayout *m_tokens = nullptr, *m_lengths = nullptr;
  QLineEdit* m_model;
  QSpinBox* m_length;
  QLabel* m_tokenText;
  QVBoxLayout* m_same = nullptr;
  QLabel* m_sameText;
  QPushButton* m_compare;
};

}  // namespace roadtune::widgets
