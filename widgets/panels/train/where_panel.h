// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace roadtune::widgets {

// A machine a run can go to, as the panel shows it.
struct RunPlace {
  QString name, group;
  QString about;  // "2 × NVIDIA H200", "not checked"
};

// Where a run trains: this machine, or chosen ones; how many processes on each; and whether they are fit for it.
class WherePanel : public QWidget {
  Q_OBJECT
 public:
  enum class Fitness { Unknown, Checking, Good, Warning, Bad };
  explicit WherePanel(QWidget* parent = nullptr);
  void setPlaces(const std::vector<RunPlace>& places);
  void setConfig(const config::RunConfig& config);
  void setFitness(Fitness fitness, const QString& text, const QString& details);
  // Model and data for the machines that lack them: is their copying wished, and what it would be.
  bool copies() const;
  void setMissing(const QString& text);
  void focusChoice();
  void commit();                                                       // the number that is typed and not taken yet
  bool undecided() const { return m_elsewhere && m_hosts.isEmpty(); }  // other machines, but none is chosen

 signals:
  void hostsChosen(const QStringList& hosts);  // empty: this machine
  void processesChosen(int processes);         // 0: one per graphics card
  void undecidedChanged();
  void copiesChosen();
  void addRequested();
  void checkRequested();

 private:
  void choosePlace(int index);
  void refresh();
  void rebuild();
  QComboBox* m_where;
  QWidget* m_list;
  QVBoxLayout* m_rows;
  QLabel* m_nothing;
  QSpinBox* m_processes;
  QCheckBox* m_copies;
  QLabel* m_missing;
  QLabel* m_mark;
  QLabel* m_fitness;
  QToolButton* m_check;
  std::vector<RunPlace> m_places;
  std::vector<QCheckBox*> m_boxes;
  QStringList m_hosts;  // what the configuration says
  QString m_fleetFile;
  int m_told = 0;  // processes, as the configuration says
  bool m_elsewhere = false, m_clicking = false;
};

}  // namespace roadtune::widgets
