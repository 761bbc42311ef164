// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/data/work_progress.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace roadtune::widgets {

class ElidedLabel;

// The images of the query in another format: which, as what, where to, how much of it; then how far it is and where it
// lies. Writes nothing itself.
class ExportPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ExportPanel(QWidget* parent = nullptr);

  struct Wish {
    bool replace = false;  // what lies there
    QString query, format, out;
    QString images;       // folder for the pictures; empty: they are not copied
    int minBox = 0;       // shorter side in pixels; 0: all boxes
    int atModelSize = 0;  // the side at which minBox is meant; 0: of the picture
    int everyFrames = 1;
    int holdOutPercent = 0;  // of the segments
  };
  void setQuery(const QString& query, std::size_t images);
  void setSuggestion(const QString& folder, const QString& name);  // where exports of this index go
  void suggest();                                                  // a free name there, unless one was typed or chosen
  void setTarget(const QString& path);
  bool targetIsFolder() const;
  QString target() const;
  void begin();
  bool working() const;
  WorkProgress* progress() const { return m_progress; }
  void end(bool done, const QString& outcome);
  // Instead of an export: something lies there. `free` is a name that is not taken.
  void refuse(const QString& free, bool mayReplace);

 signals:
  void targetRequested();
  void exportRequested(const roadtune::widgets::ExportPanel::Wish& wish);
  void cancelRequested();
  void openFolderRequested();

 private:
  QWidget* makeForm();
  QWidget* makeAmounts();
  QWidget* makeTaken();
  void formatChosen();
  void refresh();
  QString format() const;
  Wish wish() const;
  QString m_folder, m_name, m_text;
  std::size_t m_images = 0;
  bool m_ownTarget = false;  // typed or chosen: a new format changes its ending only
  QLabel* m_count;
  ElidedLabel* m_query;
  QComboBox* m_format;
  QLabel* m_about;
  QLineEdit* m_to;
  QCheckBox* m_pictures;
  QSpinBox* m_minBox;
  QComboBox* m_side;
  QSpinBox* m_every;
  QSpinBox* m_holdOut;
  QPushButton* m_start = nullptr;
  QWidget* m_form = nullptr;
  QWidget* m_taken = nullptr;  // what is done about a target that is
  QLabel* m_takenText = nullptr;
  QPushButton* m_replace = nullptr;
  QPushButton* m_useFree = nullptr;
  QString m_free;
  WorkProgress* m_progress;
  QLabel* m_outcome;
  QPushButton* m_open;
};

}  // namespace roadtune::widgets
