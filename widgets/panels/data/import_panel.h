// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/data/found_list.h"
#include "widgets/panels/data/work_progress.h"

#include <QStringList>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace roadtune::widgets {

class ElidedLabel;
class ProblemList;

// Recordings into an index, step by step: what was recognised, where it goes, whose licence applies; then how far it
// is; then what could not be read. Looks at nothing itself: it is told, and says what the user wants.
class ImportPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ImportPanel(QWidget* parent = nullptr);

  struct Found {
    QList<FoundFormat> formats;
    QStringList problems;
    bool waymo = false, licenceAccepted = false;
    bool unseen = false;  // a bucket: what its files are shows when they are read
    QString failure;      // why nobody could look
  };
  struct Wish {
    QStringList sources;
    QString out, split;
    bool thumbnails = true, acceptLicence = false;
  };
  void choose(const QStringList& sources, const QString& out);  // back to the first step, while somebody looks
  void setFound(const Found& found);
  void setListed(const Found& found);  // what a bucket holds; takes the focus from nobody
  // For an address as it is typed: the field keeps what it has, and a target the user chose stays.
  void setAddress(const QString& address, const Found& found, const QString& out);
  void askForLicence();  // after all: the recordings say so themselves
  void setLicenceText(const QString& text);
  void setTarget(const QString& folder);
  void setTargetNote(const QString& folder, const QString& note);  // while that is the target
  bool working() const;
  void begin();
  WorkProgress* progress() const { return m_progress; }
  void addProblem(const QString& line);
  void end(bool done, const QString& outcome);

 signals:
  void browseRequested();
  void targetRequested();
  void sourceTyped(const QString& path);
  void targetChanged(const QString& folder);
  void addressTyped(const QString& address);  // of a bucket, with every letter
  void importRequested(const roadtune::widgets::ImportPanel::Wish& wish);
  void cancelRequested();
  void closeRequested();

 private:
  QWidget* makeForm();
  QWidget* makeLicence();
  void connectFields();
  void refresh();
  Wish wish() const;
  QStringList m_sources;
  Found m_found;
  bool m_looking = false;
  bool m_ownTarget = false;  // the user chose where it goes
  bool m_typed = false;      // a source that nobody looked at yet
  QLineEdit* m_from;
  QLineEdit* m_to;
  QLabel* m_state;
  QLabel* m_targetNote;
  FoundList* m_list;
  QCheckBox* m_thumbnails;
  QComboBox* m_split;
  QWidget* m_splitRow = nullptr;
  QWidget* m_licence = nullptr;
  QLabel* m_licenceText = nullptr;
  QCheckBox* m_accept = nullptr;
  QWidget* m_form = nullptr;
  QPushButton* m_start = nullptr;
  WorkProgress* m_progress;
  QLabel* m_outcome;
  ProblemList* m_problems;
  QWidget* m_endButtons = nullptr;
  QPushButton* m_done = nullptr;
};

}  // namespace roadtune::widgets
