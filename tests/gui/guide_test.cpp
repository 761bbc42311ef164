// SPDX-License-Identifier: GPL-3.0-or-later
// The guide in a window of its own.
#include "tests/gui/studio_fixture.h"
#include "widgets/frame/guide_window.h"
#include "widgets/frame/key_sheet.h"

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextTable>

#include <algorithm>

namespace roadtune::testing {
namespace {

qsizetype letters(const QString& words) {
  return std::ranges::count_if(words, [](QChar one) { return one.isLetterOrNumber(); });
}

struct Guide : StudioTest {
  void openGuide() {
    open({});
    QTest::keyClick(window(), Qt::Key_F1, Qt::ShiftModifier);
    for (QWidget* one : QApplication::topLevelWidgets())
      if (auto* found = qobject_cast<widgets::GuideWindow*>(one)) guide = found;
    ASSERT_NE(guide, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowActive(guide));
    text = guide->findChild<widgets::GuideBrowser*>();
    pages = guide->findChild<QListWidget*>("guidePages");
    search = guide->findChild<QLineEdit*>("guideSearch");
  }
  QString heading() const { return text->document()->firstBlock().text(); }
  // The first link with these words, as Tab and Enter follow it.
  void follow(const QString& words) {
    text->moveCursor(QTextCursor::Start);
    text->setFocus();
    for (int i = 0; i < 200 && text->textCursor().selectedText() != words; ++i)
      QTest::keyClick(text->viewport(), Qt::Key_Tab);
    ASSERT_EQ(text->textCursor().selectedText(), words);
    QTest::keyClick(text->viewport(), Qt::Key_Return);
  }
  widgets::GuideWindow* guide = nullptr;
  widgets::GuideBrowser* text = nullptr;
  QListWidget* pages = nullptr;
  QLineEdit* search = nullptr;
};

TEST_F(Guide, EveryPageOpensAndEveryLinkInItLeadsSomewhere) {
  openGuide();
  ASSERT_EQ(pages->count(), 10);
  for (int row = 0; row < pages->count(); ++row) {
    pages->setCurrentRow(row);
    EXPECT_EQ(text->document()->firstBlock().blockFormat().headingLevel(), 1) << row;
    EXPECT_GT(letters(text->toPlainText()), letters(widgets::guideWords(text->file())) * 19 / 20)
        << heading().toStdString() << ": words are lost";
    for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part) {
        const QString link = part.fragment().charFormat().anchorHref();
        if (link.isEmpty() || link.contains("://")) continue;
        const QUrl to = QUrl("qrc" + text->file()).resolved(QUrl(link));
        EXPECT_TRUE(QFile::exists(":" + to.path())) << heading().toStdString() << ": " << link.toStdString();
      }
  }
}

TEST_F(Guide, LinksLeadToOtherPagesAndToHeadingsAndBack) {
  openGuide();
  follow("Several machines");
  EXPECT_EQ(heading(), "Several machines");
  EXPECT_EQ(pages->currentItem()->text(), "Several machines");
  follow("copied when you say so");
  EXPECT_GT(text->verticalScrollBar()->value(), 0);
  EXPECT_EQ(text->textCursor().block().text(), "Model and data");
  QTest::keyClick(text->viewport(), Qt::Key_Left, Qt::AltModifier);
  QTest::keyClick(text->viewport(), Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(pages->currentRow(), 0);
}

TEST_F(Guide, TheSearchGoesOverAllPages) {
  openGuide();
  QTest::keyClick(text->viewport(), Qt::Key_F, Qt::ControlModifier);
  ASSERT_TRUE(search->hasFocus());
  QTest::keyClicks(search, "output_dir");
  const auto found = [this] { return text->textCursor().selectedText() == "output_dir"; };
  ASSERT_TRUE(waitFor(found));
  EXPECT_LT(text->cursorRect().bottom(), text->viewport()->height() * 9 / 10) << "with what stands around it";
  const int first = pages->currentRow();
  EXPECT_GT(first, 0) << "not on the first page";
  EXPECT_TRUE(waitFor([this] { return !text->extraSelections().isEmpty(); }));
  const auto nothing = guide->findChild<QLabel*>("guideNothing");
  EXPECT_FALSE(nothing->isVisible());
  const int at = text->textCursor().position();
  QTest::keyClick(search, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return found() && (pages->currentRow() != first || text->textCursor().position() != at); }))
      << "the next one";
  QTest::keyClick(search, Qt::Key_Return, Qt::ShiftModifier);
  EXPECT_TRUE(waitFor([&] { return pages->currentRow() == first && found() && text->textCursor().position() == at; }))
      << pages->currentRow() << " at " << text->textCursor().position() << " instead of " << first << " at " << at;
  QTest::keyClicks(search, "zzz");
  EXPECT_TRUE(nothing->isVisible());
  QTest::keyClick(search, Qt::Key_Escape);
  QTest::keyClick(search, Qt::Key_Escape);
  EXPECT_TRUE(text->hasFocus());
  QTest::keyClick(text->viewport(), Qt::Key_Escape);
  EXPECT_FALSE(guide->isVisible());
}

TEST_F(Guide, FollowsTheThemeAndGoesWithTheWindow) {
  openGuide();
  pages->setCurrentRow(8);
  ASSERT_EQ(heading(), "Commands");
  const auto border = [this] {
    for (QTextFrame* frame : text->document()->rootFrame()->childFrames())
      if (qobject_cast<QTextTable*>(frame)) return frame->frameFormat().borderBrush().color();
    return QColor();
  };
  const QColor before = border();
  ASSERT_TRUE(before.isValid());
  const int place = text->verticalScrollBar()->maximum() / 2;
  text->verticalScrollBar()->setValue(place);
  widgets::Theme::instance().apply(widgets::ThemeChoice::Dark);
  EXPECT_NE(border(), before);
  EXPECT_EQ(text->verticalScrollBar()->value(), place);
  widgets::Theme::instance().apply(widgets::ThemeChoice::Light);
  QPointer<QWidget> alive = guide;
  window()->close();
  EXPECT_FALSE(alive);
}

TEST_F(Guide, TheSheetOfKeysLeadsToIt) {
  open({});
  QTest::keyClick(window(), Qt::Key_F1);
  QTest::mouseClick(find<QPushButton>("sheetDocumentation"), Qt::LeftButton);
  EXPECT_FALSE(find<widgets::KeySheet>("keySheet")->isVisible());
  EXPECT_TRUE(std::ranges::any_of(QApplication::topLevelWidgets(), [](const QWidget* one) {
    return one->objectName() == "guideWindow" && one->isVisible();
  }));
}

}  // namespace
}  // namespace roadtune::testing
