// SPDX-License-Identifier: GPL-3.0-or-later
// What opens over the window: the palette where it finds nothing, the sheet of keys in a small window.
#include "tests/gui/studio_fixture.h"
#include "widgets/common/elided_label.h"
#include "widgets/frame/key_sheet.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>

namespace roadtune::testing {
namespace {

struct Overlays : StudioTest {
  void type(const QString& words) {
    if (!find<QLineEdit>("paletteEdit")->isVisible()) QTest::keyClick(window(), Qt::Key_K, Qt::ControlModifier);
    auto* edit = find<QLineEdit>("paletteEdit");
    edit->selectAll();
    QTest::keyClicks(edit, words);
  }
};

TEST_F(Overlays, ThePaletteSaysThatNothingIsCalledThat) {
  open({});
  type("qqqq");
  EXPECT_TRUE(find<QLabel>("paletteNothing")->isVisible());
  EXPECT_FALSE(find<QListWidget>("paletteList")->isVisible());
  type("dark");
  EXPECT_FALSE(find<QLabel>("paletteNothing")->isVisible());
  EXPECT_TRUE(find<QListWidget>("paletteList")->isVisible());
}

TEST_F(Overlays, CommandsHaveOtherNamesAsWell) {
  for (const auto& [language, typed, wanted] :
       {std::tuple("en", "help", "Show all keys"), std::tuple("en", "shortc", "Show all keys"),
        std::tuple("en", "preferences", "Settings"), std::tuple("de", "Hilfe", "Alle Tasten zeigen")}) {
    studio::Options options;
    options.language = language;
    open(options);
    type(typed);
    const auto* list = find<QListWidget>("paletteList");
    ASSERT_GT(list->count(), 0) << typed;
    EXPECT_EQ(list->item(0)->text(), wanted) << typed;
    studio.reset();
  }
}

TEST_F(Overlays, TheSheetOfKeysScrollsWhereItDoesNotFit) {
  for (const char* language : {"en", "de"}) {
    studio::Options options;
    options.size = {1024, 640};
    options.language = language;
    open(options);
    QTest::keyClick(window(), Qt::Key_F1);
    const auto* sheet = find<widgets::KeySheet>("keySheet");
    ASSERT_TRUE(sheet->isVisible());
    QTest::qWait(20);
    for (const auto* line : sheet->findChildren<widgets::ElidedLabel*>())
      EXPECT_GE(line->height(), line->fontMetrics().height()) << line->text().toStdString();
    for (const auto* label : sheet->findChildren<QLabel*>())
      EXPECT_GE(label->height(), label->fontMetrics().height()) << label->text().toStdString();
    const QScrollBar* bar = sheet->findChild<QScrollArea*>()->verticalScrollBar();
    ASSERT_TRUE(bar->isVisible());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_End);
    EXPECT_EQ(bar->value(), bar->maximum());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_PageUp);
    EXPECT_LT(bar->value(), bar->maximum());
    window()->resize(1600, 1200);
    QTest::qWait(20);
    EXPECT_EQ(bar->maximum(), 0) << "all of it";
    studio.reset();
  }
}

}  // namespace
}  // namespace roadtune::testing
