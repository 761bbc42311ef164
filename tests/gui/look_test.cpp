// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/class_looks.h"
#include "widgets/common/fuzzy.h"
#include "widgets/common/icons.h"
#include "widgets/common/meter.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/number_delegate.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/throttle.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <set>

namespace roadtune::widgets {
namespace {

double luminance(const QColor& colour) {
  const auto linear = [](double part) {
    return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double high = std::max(luminance(a), luminance(b)), low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

TEST(Tokens, TextIsReadableInBothThemes) {
  for (const Tokens* t : {&lightTokens(), &darkTokens()}) {
    for (const QColor& ground : {t->window, t->surface, t->raised}) {
      EXPECT_GE(contrast(t->text, ground), 7.0) << t->dark;
      for (const QColor& ink : {t->secondary, t->accent, t->good, t->warn, t->bad})
        EXPECT_GE(contrast(ink, ground), 4.5) << t->dark << ' ' << ink.name().toStdString();
    }
    EXPECT_GE(contrast(t->onAccent, t->accent), 4.5) << t->dark;
  }
}

TEST(Tokens, ClassesDifferByMoreThanColour) {
  EXPECT_NE(classLook("vehicle").mark, classLook("pedestrian").mark);
  EXPECT_NE(classLook("pedestrian").mark, classLook("cyclist").mark);
  EXPECT_NE(classLook("cyclist").mark, classLook("sign").mark);
}

TEST(Tokens, ClassesOfAnyDatasetHaveColoursOfTheirOwn) {
  const std::vector<std::string> names{"unknown", "car", "truck", "bus", "trailer", "barrier", "cone", "motorcycle"};
  const auto looks = classLooks(names);
  ASSERT_EQ(looks.size(), names.size());
  std::set<QString> seen;
  for (const ClassLook& one : looks) seen.insert(one.colour.name());
  EXPECT_EQ(seen.size(), names.size());
  EXPECT_EQ(looks[0].colour, classLook("unknown").colour);
  EXPECT_EQ(looks[1].colour, seriesColour(0));
  EXPECT_EQ(looks[1].mark, ClassMark::SecondLine);

  const auto mixed = classLooks({"vehicle", "tram", "pedestrian", "dog"});
  EXPECT_EQ(mixed[0].colour, classLook("vehicle").colour);
  EXPECT_EQ(mixed[2].colour, classLook("pedestrian").colour);
  seen = {};
  for (const ClassLook& one : mixed) seen.insert(one.colour.name());
  EXPECT_EQ(seen.size(), 4u) << "none takes a colour that one of the four has";
  std::vector<std::string> many{"vehicle", "pedestrian", "sign", "cyclist"};
  for (int i = 0; i < 7; ++i) many.push_back("c" + std::to_string(i));
  seen = {};
  for (std::size_t i = 4; i < many.size(); ++i) seen.insert(classLooks(many)[i].colour.name());
  EXPECT_EQ(seen.size(), 7u) << "the whole series, where there are that many";
  EXPECT_EQ(ClassColours({"vehicle", "tram"}).of("tram"), mixed[1].colour) << "it stays where others come after it";
}

TEST(Tokens, TwelveClassesHaveColoursThatAreClearlyDifferentAndTheNextAnotherMark) {
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) names.push_back("c" + std::to_string(i));
  const auto looks = classLooks(names);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(looks[i].colour, seriesColour(i));
  for (std::size_t i = 0; i < 12; ++i) {
    const QColor& one = looks[i].colour;
    EXPECT_GE(contrast(one, lightTokens().surface), 1.9) << i;
    EXPECT_GE(contrast(one, darkTokens().surface), 2.3) << i;
    for (std::size_t k = 0; k < (i < 7 ? 0 : i); ++k) {  // the first seven are told apart by their light
      const QColor& other = looks[k].colour;
      const int apart = std::abs(one.red() - other.red()) + std::abs(one.green() - other.green()) +
                        std::abs(one.blue() - other.blue());
      EXPECT_GE(apart, 100) << i << " and " << k;
    }
  }
  EXPECT_EQ(looks[12].colour, looks[0].colour);
  EXPECT_NE(looks[12].mark, looks[0].mark);
}

TEST(Theme, ChangesThePaletteAndFollowsTheDesktop) {
  Theme::instance().apply(ThemeChoice::Light);
  const QColor before = QApplication::palette().color(QPalette::WindowText);
  QSignalSpy changed(&Theme::instance(), &Theme::changed);
  Theme::instance().apply(ThemeChoice::Dark);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_NE(QApplication::palette().color(QPalette::WindowText), before);
  Theme::instance().apply(ThemeChoice::Desktop);
  Theme::instance().setDesktopDark(true);
  EXPECT_TRUE(Theme::tokens().dark);
  Theme::instance().setDesktopDark(false);
  EXPECT_FALSE(Theme::tokens().dark);
}

TEST(Menus, AreRaisedWithALineAroundThemAndBetweenTheirParts) {
  for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
    Theme::instance().apply(choice);
    const Tokens& t = Theme::tokens();
    QMenu menu;
    menu.addAction(QStringLiteral("One"));
    menu.addSeparator();
    menu.addAction(QStringLiteral("Two"));
    menu.popup(QPoint(10, 10));
    const QImage picture = menu.grab().toImage();
    const int middle = picture.width() - 20;
    int lines = 0;
    for (int y = 0; y < picture.height(); ++y) lines += picture.pixelColor(middle, y) == t.line;
    EXPECT_EQ(lines, 3) << "above, between, below; dark " << t.dark;
    EXPECT_EQ(picture.pixelColor(middle, 8), t.raised) << t.dark;
    EXPECT_NE(picture.pixelColor(0, 0), t.line) << "its corners are round";
    EXPECT_FALSE(menu.mask().contains(QPoint(0, 0))) << "also where windows are not blended";
    EXPECT_TRUE(menu.mask().contains(QPoint(6, 0)));
    menu.close();
  }
  Theme::instance().apply(ThemeChoice::Light);
}

TEST(Icons, AllDrawSomethingInBothScales) {
  const QStringList files = QDir(":/icons").entryList({"*.svg"});
  ASSERT_GE(files.size(), 40);
  for (const QString& file : files) {
    for (const double scale : {1.0, 2.0}) {
      const QPixmap pixmap = iconPixmap(QString(file).remove(".svg"), 20, Qt::black, scale);
      ASSERT_EQ(pixmap.size(), QSize(20, 20) * scale) << file.toStdString();
      const QImage image = pixmap.toImage().convertToFormat(QImage::Format_ARGB32);
      int ink = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) ink += qAlpha(image.pixel(x, y)) > 128;
      }
      EXPECT_GT(ink, 8 * scale) << file.toStdString();
    }
  }
}

TEST(TabularText, DigitsAllTakeTheSameRoom) {
  const QFont font = baseFont();
  EXPECT_DOUBLE_EQ(tabularWidth(font, "111.1"), tabularWidth(font, "808.8"));
  EXPECT_EQ(unitStart("41.3 samples/s"), 4);
  EXPECT_EQ(unitStart("5.8 GB"), 3);
  EXPECT_EQ(unitStart("none"), 0);
}

TEST(Throttle, FiresAtOnceThenOncePerIntervalAndNeverLosesTheLast) {
  Throttle throttle(40);
  QSignalSpy fired(&throttle, &Throttle::fired);
  for (int i = 0; i < 100; ++i) throttle.request();
  EXPECT_EQ(fired.count(), 1);
  QTRY_COMPARE_WITH_TIMEOUT(fired.count(), 2, 1000);
  QTest::qWait(120);
  EXPECT_EQ(fired.count(), 2);
}

TEST(Fuzzy, PrefersStartsOfWordsAndRuns) {
  EXPECT_EQ(fuzzyScore("xyz", "Start run"), 0);
  EXPECT_GT(fuzzyScore("sr", "Start run"), fuzzyScore("sr", "Show results inside other"));
  EXPECT_GT(fuzzyScore("dark", "Dark theme"), fuzzyScore("dark", "Find a mark by key"));
  EXPECT_GT(fuzzyScore("", "anything"), 0);
}

TEST(NoticeBar, SaysWhatWhereAndWhatToTry) {
  NoticeBar bar;
  bar.show(badInput("there is no field 'lerning_rate'", "run.yaml:4", "learning_rate"));
  EXPECT_TRUE(bar.text().contains("There is no field"));
  EXPECT_TRUE(bar.text().contains("run.yaml:4"));
  EXPECT_TRUE(bar.text().contains("Try: learning_rate"));
  bar.show(badInput("finetuning_type lora needs target_modules"));
  EXPECT_TRUE(bar.text().startsWith("finetuning_type lora")) << "a name is written as it is";
  bar.show(badInput("checkpoint-45 has no weights"));
  EXPECT_TRUE(bar.text().startsWith("checkpoint-45 has")) << bar.text().toStdString();
  bool ran = false;
  bar.show(NoticeBar::Kind::Info, "Accept?");
  bar.offer("Accept", [&ran] { ran = true; });
  QTest::mouseClick(bar.findChild<QPushButton*>("noticeAction"), Qt::LeftButton);
  EXPECT_TRUE(ran);
  EXPECT_EQ(bar.text(), "");
}

TEST(Meter, SaysItsReadingToScreenReaders) {
  Meter meter("Memory");
  meter.setReading(0.5, "12.0 GB", "of 24.0 GB");
  EXPECT_EQ(meter.accessibleName(), "Memory");
  EXPECT_EQ(meter.accessibleDescription(), "12.0 GB of 24.0 GB");
}

}  // namespace
}  // namespace roadtune::widgets
