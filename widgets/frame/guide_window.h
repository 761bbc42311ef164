// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/frame/guide_text.h"

#include <QTextBrowser>
#include <QTimer>
#include <QWidget>

#include <map>
#include <memory>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace roadtune::widgets {

class NoticeBar;

// Shows pages of the guide; goes to headings, and keeps lines short enough to read. A page is read and dressed before
// it comes on show, and kept: the longest takes its time.
class GuideBrowser : public QTextBrowser {
  Q_OBJECT
 public:
  explicit GuideBrowser(QWidget* parent = nullptr);
  const QString& file() const { return m_place.file; }  // ":/guide/guide/data.md"
  void go(const QString& file, const QString& heading = {});
  void goBack();
  void goForward();
  bool findWords(const QString& words, QTextDocument::FindFlags way);  // and shows what is around them
  void dressAgain();                                                   // for another theme

 signals:
  void shown();  // another page, or another place of this one
  void historyChanged(bool back, bool forward);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Place {
    QString file;
    int scrolled = 0;
  };
  void show(const QString& file);
  void move(std::vector<Place>& from, std::vector<Place>& to);
  Place m_place;
  std::vector<Place> m_back, m_forward;
  std::map<QString, std::unique_ptr<QTextDocument>> m_pages;
};

// The guide in a window of its own, so that one can read beside what one does: its pages at the left, a search over all
// of them above.
class GuideWindow : public QWidget {
  Q_OBJECT
 public:
  explicit GuideWindow(QWidget* parent = nullptr);
  void open();
  NoticeBar* notice() const { return m_notice; }

 signals:
  void linkRequested(const QUrl& link);  // that leads out of the guide

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* makeTop();
  void addKeys();
  void follow(const QUrl& link);
  void takePage();
  void search();
  void find(bool forward);
  int pageWith(const QString& words, bool forward);
  void markFound();
  QVector<GuidePage> m_pages;
  QStringList m_words;  // of the pages, to look through; read when somebody searches
  QTimer m_marking;     // what was found is marked after the page is there
  QTimer m_finding;     // on a page that has just come, once it is laid out
  QTextDocument::FindFlags m_way;
  NoticeBar* m_notice;
  GuideBrowser* m_browser;
  QListWidget* m_list;
  QLineEdit* m_search = nullptr;
  QLabel* m_nothing = nullptr;
};

}  // namespace roadtune::widgets
