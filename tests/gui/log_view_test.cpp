// SPDX-License-Identifier: GPL-3.0-or-later
// The log stays at its end for as long as nobody scrolls up.
#include "widgets/panels/runs/log_view.h"

#include "widgets/common/theme.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTest>

namespace roadtune::widgets {
namespace {

struct LogOnShow : ::testing::Test {
  void SetUp() override {
    Theme::instance().apply(ThemeChoice::Light);
    log.resize(600, 300);
    log.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&log));
    more(200);
  }
  void more(int count) {
    for (int i = 0; i < count; ++i) lines.push_back("line " + std::to_string(lines.size()));
    log.setLog({0}, 0, lines);
    QTest::qWait(20);
  }
  QScrollBar* bar() { return log.findChild<QPlainTextEdit*>("logText")->verticalScrollBar(); }
  bool atEnd() { return bar()->value() == bar()->maximum(); }
  LogView log;
  std::vector<std::string> lines;
};

TEST_F(LogOnShow, AnotherHeightDoesNotStopIt) {
  EXPECT_TRUE(atEnd());
  for (const int height : {160, 420, 120, 300}) {
    log.resize(600, height);
    QTest::qWait(20);
    EXPECT_TRUE(atEnd()) << height;
    more(10);
    EXPECT_TRUE(atEnd()) << height;
  }
}

TEST_F(LogOnShow, ScrollingUpStopsItAndScrollingDownGoesOn) {
  auto* text = log.findChild<QPlainTextEdit*>("logText");
  text->setFocus();
  bar()->triggerAction(QAbstractSlider::SliderPageStepSub);
  const int place = bar()->value();
  EXPECT_FALSE(atEnd());
  more(10);
  log.resize(600, 200);
  QTest::qWait(20);
  EXPECT_EQ(bar()->value(), place);
  bar()->triggerAction(QAbstractSlider::SliderToMaximum);
  more(10);
  EXPECT_TRUE(atEnd());
}

TEST_F(LogOnShow, OneLineIsOne) {
  lines.clear();
  more(1);
  QStringList words;
  for (const QLabel* label : log.findChildren<QLabel*>()) words << label->text();
  EXPECT_TRUE(words.contains("1 line")) << words.join('|').toStdString();
}

}  // namespace
}  // namespace roadtune::widgets
