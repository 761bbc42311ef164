// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of an import's problems are whole, however long the names of files are.
#include "widgets/panels/data/problem_list.h"

#include "widgets/common/theme.h"

#include <gtest/gtest.h>

#include <QListWidget>
#include <QTest>

namespace roadtune::widgets {
namespace {

TEST(ProblemRows, HoldAllOfALineAndBreakTheLongestNames) {
  Theme::instance().apply(ThemeChoice::Light);
  ProblemList problems;
  problems.resize(320, 500);
  problems.add("annotations.json: 1 picture not found: images/" + QString(90, QChar('m')) + ".jpg; labels are kept");
  problems.add("/somewhere/" + QString("very-long-folder-name-").repeated(9) + ": no such file or folder");
  problems.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&problems));
  auto* list = problems.findChild<QListWidget*>("problemRows");
  for (const int width : {320, 240}) {
    problems.resize(width, 500);
    QTest::qWait(300);  // a list is laid out anew a moment after its width has changed
    const QImage shown = list->viewport()->grab().toImage();
    for (int row = 0; row < list->count(); ++row) {
      const QRect place = list->visualItemRect(list->item(row));
      EXPECT_LE(place.right(), shown.width()) << "nothing beside what is on show";
      const QFontMetrics metrics(list->font());
      const int lines = place.height() / metrics.lineSpacing();
      QStyleOptionViewItem option;
      option.initFrom(list);
      option.font = list->font();
      const QSize needed = list->itemDelegate()->sizeHint(option, list->model()->index(row, 0));
      EXPECT_GE(place.height(), needed.height()) << "no row lies over the next";
      EXPECT_GE(lines * place.width(), metrics.horizontalAdvance(list->item(row)->text())) << width << ' ' << row;
      int lastLine = 0, beyond = 0, below = 0;
      for (int y = place.top(); y <= place.bottom(); ++y)
        for (int x = 0; x < shown.width(); ++x) {
          const bool ink = shown.pixelColor(x, y).lightness() < 128;
          if (ink && y > place.bottom() - metrics.lineSpacing()) ++lastLine;
          if (ink && x > shown.width() - 3) ++beyond;
          if (ink && y > place.bottom() - 2) ++below;
        }
      EXPECT_GT(lastLine, 0) << "its last line is in the row";
      EXPECT_EQ(beyond, 0) << width << ' ' << row;
      EXPECT_EQ(below, 0) << "no line hangs out of its row: " << width << ' ' << row;
    }
  }
}

}  // namespace
}  // namespace roadtune::widgets
