// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_facts.h"

#include <QWidget>

#include <vector>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace roadtune::widgets {

// What a dry run has proved so far, one line each; hidden until there is one.
class DryRunPanel : public QWidget {
  Q_OBJECT
 public:
  explicit DryRunPanel(QWidget* parent = nullptr);
  void begin(const QString& where);
  void setProofs(const std::vector<runs::ProofInfo>& proofs);
  // `trouble` is empty when everything was proved.
  void finish(const QString& trouble);
  void clear();
  void setOutdated();  // the settings are no longer those that were proved
  bool running() const { return m_running; }
  QToolButton* closeButton() const { return m_close; }

 signals:
  void focusLeaving();  // it is about to be put away with the focus in it
  void cancelRequested();

 private:
  void setHead(const QString& icon, const QColor& colour, const QString& text);
  QLabel* m_mark;
  QLabel* m_text;
  QToolButton* m_close;
  QVBoxLayout* m_rows;
  std::size_t m_shown = 0;
  bool m_running = false, m_proved = false;
};

}  // namespace roadtune::widgets
