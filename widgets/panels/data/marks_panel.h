// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QStringListModel;

namespace roadtune::widgets {

// What people wrote on images: tags as chips that can be taken off, one field to add another, and a note. Tags go to
// all chosen images, the note to the current one.
class MarksPanel : public QWidget {
  Q_OBJECT
 public:
  explicit MarksPanel(QWidget* parent = nullptr);
  // Another image: what was being written about the one before is taken, and nothing is known of it until setMarks.
  void setImage(std::optional<quint32> image);
  void setMarks(const QStringList& tags, const QString& note);
  void setChosen(std::size_t images);  // how many the next tag goes to
  void setKnownTags(const QStringList& tags);
  void focusTag();
  void focusNote();
  void commitNote();

 signals:
  void tagAdded(const QString& tag);
  void tagRemoved(const QString& tag);
  void noteChanged(quint32 image, const QString& text);
  void left();  // by Esc

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refillChips();
  QStringList m_tags;
  QString m_note;
  std::optional<quint32> m_image;  // that is written about
  bool m_told = false;             // it was told what is written
  QWidget* m_chips;
  QLineEdit* m_edit;
  QPlainTextEdit* m_text;
  QStringListModel* m_known;
};

}  // namespace roadtune::widgets
