// SPDX-License-Identifier: GPL-3.0-or-later
// What people add to data: tags, notes, views; and ways to narrow it with the mouse.
#include "app/studio/data_controller.h"
#include "app/studio/run_document.h"
#include "core/data/index/index.h"
#include "core/data/index/user_data.h"
#include "core/text/tokenizer.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/canvas/image_view.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/theme.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/facet_histogram.h"
#include "widgets/panels/data/marks_panel.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/data/token_view.h"
#include "widgets/panels/runs/step_panel.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QToolButton>

#include <filesystem>
#include <set>

namespace roadtune::testing {
namespace {

struct MarksTest : StudioTest {
  void openData() {
    // A copy: what is written here must not show in other tests.
    std::filesystem::copy(drawnIndex(), home / "idx", std::filesystem::copy_options::recursive);
    studio::Options options;
    options.data = QString::fromStdString((home / "idx").string());
    open(options);
    page = window()->dataPage();
    ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 120; }));
    page->grid()->setFocus();
  }
  QLineEdit* tagEdit() const { return page->findChild<QWidget*>("inspector")->findChild<QLineEdit*>("tagEdit"); }
  widgets::DataPage* page = nullptr;
};

TEST_F(MarksTest, TagsManyImagesAtOnceAndFindsThemAgain) {
  openData();
  for (int i = 0; i < 3; ++i) QTest::keyClick(page->grid(), Qt::Key_Right, Qt::ShiftModifier);
  QTest::keyClick(page->grid(), Qt::Key_T);
  EXPECT_TRUE(tagEdit()->hasFocus());
  EXPECT_EQ(tagEdit()->placeholderText(), "Tag 4 images");
  QTest::keyClicks(tagEdit(), "hard");
  QTest::keyClick(tagEdit(), Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return window()->findChild<QAbstractButton*>("facet_tag_hard") != nullptr; }));
  QTest::mouseClick(window()->findChild<QAbstractButton*>("facet_tag_hard"), Qt::LeftButton);
  EXPECT_EQ(page->query(), "tag:hard");
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 4; }));
  auto* chip = page->findChild<QWidget*>("inspector")->findChild<QToolButton*>("chip_hard");
  ASSERT_NE(chip, nullptr);
  EXPECT_NE(chip->grab().toImage().pixelColor(chip->width() / 2, 2), widgets::Theme::tokens().surface)
      << "a chip also where the pointer is not";
  page->grid()->setCurrentRow(1);
  ASSERT_TRUE(
      waitFor([&] { return page->findChild<QWidget*>("inspector")->findChild<QToolButton*>("chip_hard") != nullptr; }));
  QTest::mouseClick(page->findChild<QWidget*>("inspector")->findChild<QToolButton*>("chip_hard"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 3; }))
      << "taking it off one image leaves the others";
}

TEST_F(MarksTest, WhatIsSelectedStaysSelectedWhileItGetsTagsAndEscGoesBackToIt) {
  openData();
  auto* grid = page->grid();
  for (int i = 0; i < 3; ++i) QTest::keyClick(grid, Qt::Key_Right, Qt::ShiftModifier);
  const auto chosen = grid->selectedImages();
  for (const char* name : {"hard", "late"}) {
    QTest::keyClick(grid, Qt::Key_T);
    QTest::keyClicks(tagEdit(), name);
    QTest::keyClick(tagEdit(), Qt::Key_Return);
    const QString facet = QStringLiteral("facet_tag_%1").arg(name);
    ASSERT_TRUE(waitFor([&] { return window()->findChild<QAbstractButton*>(facet) != nullptr; }));
    EXPECT_EQ(grid->selectedImages(), chosen) << name;
    QTest::keyClick(tagEdit(), Qt::Key_Escape);
    EXPECT_TRUE(grid->hasFocus());
  }
  EXPECT_TRUE(find<QAbstractButton>("facet_tag_late")->accessibleName().startsWith("late 4"));
  QTest::keyClick(grid, Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_EQ(grid->selectedImages().size(), 5u) << "it grows from where it began";
}

TEST_F(MarksTest, TagsNotesAndQueriesAreTakenBackInTheirOrder) {
  openData();
  auto* grid = page->grid();
  const auto press = [&](Qt::Key key) { QTest::keyClick(grid, key, Qt::ControlModifier); };
  const auto carry = [&] {
    const auto* facet = window()->findChild<QAbstractButton*>("facet_tag_hard");
    return facet && facet->isVisible() ? facet->accessibleName() : QString();
  };
  const auto tagFirst = [&](int images) {
    grid->setCurrentRow(0);
    for (int i = 1; i < images; ++i) QTest::keyClick(grid, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(grid, Qt::Key_T);
    QTest::keyClicks(tagEdit(), "hard");
    QTest::keyClick(tagEdit(), Qt::Key_Return);
    QTest::keyClick(tagEdit(), Qt::Key_Escape);
    return waitFor([&] { return carry().startsWith(QStringLiteral("hard %1").arg(images)); });
  };
  ASSERT_TRUE(tagFirst(1));
  page->queryLine()->setText("camera=front");
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 24; }));
  page->queryLine()->setText("");
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 120; }));
  ASSERT_TRUE(tagFirst(3));
  auto* note = page->findChild<QWidget*>("inspector")->findChild<QPlainTextEdit*>("noteEdit");
  QTest::keyClick(grid, Qt::Key_N);
  QTest::keyClicks(note, "box is late");
  QTest::keyClick(note, Qt::Key_Escape);
  ASSERT_TRUE(grid->hasFocus());
  ASSERT_TRUE(waitFor([&] { return find<QAction>("undoCommand")->isEnabled(); }));
  QTest::qWait(200);  // it is written

  press(Qt::Key_Z);
  ASSERT_TRUE(waitFor([&] { return note->toPlainText().isEmpty(); })) << note->toPlainText().toStdString();
  press(Qt::Key_Z);
  ASSERT_TRUE(waitFor([&] { return carry().startsWith("hard 1"); })) << "the first image had it before";
  EXPECT_EQ(page->query(), "");
  press(Qt::Key_Z);
  EXPECT_EQ(page->query(), "camera=front");
  press(Qt::Key_Z);
  EXPECT_EQ(page->query(), "");
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 120; }));
  press(Qt::Key_Z);
  ASSERT_TRUE(waitFor([&] { return carry().isEmpty() || carry() == "hard 0"; })) << carry().toStdString();
  press(Qt::Key_Y);
  ASSERT_TRUE(waitFor([&] { return carry().startsWith("hard 1"); }));
}

TEST_F(MarksTest, ANoteIsKeptWithItsImage) {
  openData();
  const auto first = *page->grid()->currentImage();
  QTest::keyClick(page->grid(), Qt::Key_N);
  auto* note = page->findChild<QWidget*>("inspector")->findChild<QPlainTextEdit*>("noteEdit");
  EXPECT_TRUE(note->hasFocus());
  QTest::keyClicks(note, "box is late");
  page->grid()->setFocus();
  QTest::keyClick(page->grid(), Qt::Key_Right);
  ASSERT_TRUE(waitFor([&] { return note->toPlainText().isEmpty(); }));
  QTest::keyClick(page->grid(), Qt::Key_Left);
  ASSERT_TRUE(waitFor([&] { return note->toPlainText() == "box is late"; }));
  studio.reset();
  const auto index = data::Index::open(home / "idx");
  ASSERT_TRUE(index.ok());
  const auto user = data::UserData::open(*index.value());
  ASSERT_TRUE(user.ok());
  EXPECT_EQ(user.value().note(*index.value(), first).valueOr(""), "box is late");
}

TEST_F(MarksTest, AViewIsSavedUnderANameAndComesBack) {
  openData();
  page->queryLine()->setText("count(pedestrian)>=1");
  auto* views = find<QToolButton>("savedViews");
  views->menu()->findChild<QAction*>("saveView")->trigger();
  answerPrompt(window(), "viewNamePrompt", "people");
  ASSERT_TRUE(waitFor([&] { return views->menu()->actions().front()->text() == "people"; }));
  page->queryLine()->setText("");
  views->menu()->actions().front()->trigger();
  EXPECT_EQ(page->query(), "count(pedestrian)>=1");
}

TEST_F(MarksTest, DraggingOverAHistogramWritesTheQuery) {
  openData();
  auto* histogram = find<widgets::FacetHistogram>("countHistogram");
  ASSERT_TRUE(waitFor([&] { return histogram->isVisible(); }));
  const QRectF plot = histogram->plotRect();
  const auto at = [&](double share) {
    return QPointF(plot.left() + plot.width() * share, plot.center().y()).toPoint();
  };
  QTest::mousePress(histogram, Qt::LeftButton, {}, at(0.5));
  QTest::mouseMove(histogram, at(0.9));
  QTest::mouseRelease(histogram, Qt::LeftButton, {}, at(0.9));
  EXPECT_TRUE(page->query().startsWith("n>=")) << page->query().toStdString();
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() < 120; }));
  QTest::mouseClick(histogram, Qt::LeftButton, {}, at(0.2));
  EXPECT_EQ(page->query(), "") << "a click lets go";
}

TEST_F(MarksTest, ShowsWhatTheModelSees) {
  openData();
  page->openSample();
  auto* sample = page->sample();
  auto* menu = find<QToolButton>("sampleModelView")->menu();
  menu->findChild<QAction*>("modelSide224")->trigger();
  EXPECT_EQ(sample->view()->modelSide(), 224);
  EXPECT_TRUE(find<QLabel>("modelPrompt")->text().startsWith("detect "))
      << find<QLabel>("modelPrompt")->text().toStdString();
  EXPECT_TRUE(find<QLabel>("modelFacts")->text().contains("224 × 224"));
  EXPECT_TRUE(waitFor(
      [&] { return find<QLabel>("modelTokenNote")->text() == "Choose a model on the Train page to see its tokens."; }));
  menu->findChild<QAction*>("modelSide0")->trigger();
  EXPECT_FALSE(find<QWidget>("modelStrip")->isVisible());
}

TEST_F(MarksTest, ShowsTheTokensThatTheModelGets) {
  openData();
  ASSERT_TRUE(studio->train()->document().set("model_name_or_path", config::Value(tinyModel().string())).ok());
  page->openSample();
  find<QToolButton>("sampleModelView")->menu()->findChild<QAction*>("modelSide224")->trigger();
  auto* tokens = find<widgets::TokenView>("modelTokens");
  ASSERT_TRUE(waitFor([&] { return !tokens->text().isEmpty(); }));
  const auto tokenizer = text::Tokenizer::load(tinyModel());
  ASSERT_TRUE(tokenizer.ok());
  const auto& special = tokenizer.value().special();
  const QString shown = tokens->text();
  EXPECT_TRUE(shown.startsWith(QStringLiteral("<image> × 256 %1 <bos> %2 ").arg(special.image).arg(special.bos)))
      << shown.toStdString();
  EXPECT_TRUE(shown.endsWith(QStringLiteral("<eos> %1").arg(special.eos))) << shown.toStdString();
  std::set<QString> places;
  for (auto found = QRegularExpression("<loc(\\d{4})>").globalMatch(shown); found.hasNext();)
    places.insert(found.next().captured(1));
  EXPECT_GT(places.size(), 10u) << "the boxes lie in different places";
  const std::string prompt = find<QLabel>("modelPrompt")->text().toStdString();
  const auto ids = tokenizer.value().encode(prompt);
  QStringList numbers;
  for (const auto id : ids) numbers << QString::number(id);
  const QStringList all = shown.split(' ', Qt::SkipEmptyParts).filter(QRegularExpression("^\\d+$"));
  EXPECT_TRUE(all.join(' ').contains(numbers.join(' '))) << shown.toStdString();
  find<QToolButton>("copyTokens")->click();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), shown);
}

TEST_F(MarksTest, ImagesAreLeftOutOfTrainingFromTheirMenu) {
  openData();
  const auto query = [&] { return QString::fromStdString(studio->train()->document().config().text("train_query")); };
  ASSERT_TRUE(studio->train()->document().set("train_query", config::Value("time=Day")).ok());
  QTest::keyClick(page->grid(), Qt::Key_Right, Qt::ShiftModifier);
  chooseInMenu([&] { openMenuByKey(page->grid()); }, "Leave out of training");
  ASSERT_TRUE(waitFor([&] { return window()->findChild<QAbstractButton*>("facet_tag_excluded") != nullptr; }));
  EXPECT_TRUE(find<QAbstractButton>("facet_tag_excluded")->accessibleName().startsWith("excluded 2"));
  EXPECT_EQ(query(), "time=Day and not tag:excluded");
  page->grid()->setCurrentRow(5);
  chooseInMenu([&] { openMenuByKey(page->grid()); }, "Leave out of training");
  EXPECT_EQ(query(), "time=Day and not tag:excluded") << "never twice";
  studio->train()->undo();
  EXPECT_EQ(query(), "time=Day");
}

TEST_F(MarksTest, LeavingOutIsTakenBack) {
  openData();
  chooseInMenu([&] { openMenuByKey(page->grid()); }, "Leave out of training");
  ASSERT_TRUE(waitFor([&] { return window()->findChild<QAbstractButton*>("facet_tag_excluded") != nullptr; }));
  auto* undo = page->notice()->findChild<QPushButton*>("noticeAction");
  ASSERT_TRUE(undo->isVisible());
  QTest::mouseClick(undo, Qt::LeftButton);
  EXPECT_EQ(studio->train()->document().config().text("train_query"), "");
  ASSERT_TRUE(waitFor([&] {
    const auto* facet = window()->findChild<QAbstractButton*>("facet_tag_excluded");
    return !facet || !facet->isVisible() || facet->accessibleName() == "excluded 0";
  }));
}

TEST_F(MarksTest, TheMenuOpensTagsAndCopies) {
  openData();
  chooseInMenu([&] { openMenuByKey(page->grid()); }, "Copy name");
  EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), page->index()->imageLabel(0));
  chooseInMenu([&] { openMenuByKey(page->grid()); }, "Tag…");
  EXPECT_EQ(window()->focusWidget(), tagEdit());
  QTest::keyClicks(tagEdit(), "good-night");
  QTest::keyClick(tagEdit(), Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return window()->findChild<QAbstractButton*>("facet_tag_good-night") != nullptr; }));
  EXPECT_TRUE(find<QAbstractButton>("facet_tag_good-night")->accessibleName().startsWith("good-night "))
      << "a tag is shown as it was typed";
  page->grid()->setFocus();
  chooseInMenu([&] { openMenuByKey(page->grid()); }, "Open");
  EXPECT_TRUE(page->showsSample());
}

TEST_F(MarksTest, ARightClickKeepsWhatIsSelected) {
  openData();
  auto* grid = page->grid();
  grid->setCurrentRow(0);
  grid->setCurrentRow(2, true);
  QTest::mouseClick(grid->viewport(), Qt::RightButton, {}, grid->tileRect(1).center());
  EXPECT_EQ(grid->selectedImages().size(), 3u);
  EXPECT_EQ(grid->currentRow(), 1u);
  QTest::mouseClick(grid->viewport(), Qt::RightButton, {}, grid->tileRect(4).center());
  EXPECT_EQ(grid->selectedImages(), std::vector<data::ImageId>{(*grid->images())[4]});
}

TEST_F(MarksTest, PicturesOfAStepHaveTheSameMenu) {
  const auto index = data::Index::open(drawnIndex()).value();
  widgets::StepPanel panel;
  panel.resize(900, 300);
  panel.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
  panel.setIndex(index);
  widgets::StepFacts facts;
  facts.samples.emplace_back(QString::fromStdString(index->imageLabel(41)), 2.5);
  panel.setFacts(facts);
  std::vector<data::ImageId> left;
  QObject::connect(&panel, &widgets::StepPanel::leaveOutRequested,
                   [&](const std::vector<data::ImageId>& images) { left = images; });
  auto* pictures = panel.findChild<widgets::ImageGrid*>("stepImages");
  ASSERT_EQ(pictures->images()->size(), 1u);
  chooseInMenu([&] { openMenuByKey(pictures); }, "Leave out of training");
  EXPECT_EQ(left, std::vector<data::ImageId>{41});
}

TEST_F(MarksTest, AnIndexThatIsGoneTakesNoMarksAndIsNamedAtTheNextStart) {
  openData();
  std::filesystem::rename(home / "idx", home / "gone");  // at once: the studio may be writing into it
  QTest::keyClick(page->grid(), Qt::Key_T);
  QTest::keyClicks(tagEdit(), "hard");
  QTest::keyClick(tagEdit(), Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return page->notice()->text().contains("moved or deleted"); }));
  EXPECT_TRUE(page->notice()->text().contains("idx"));
  EXPECT_TRUE(page->notice()->findChild<QPushButton*>("noticeAction")->isVisible()) << "one may locate it";
  EXPECT_EQ(window()->findChild<QAbstractButton*>("facet_tag_hard"), nullptr) << "nothing pretends";
  EXPECT_EQ(page->findChild<QWidget*>("inspector")->findChild<QToolButton*>("chip_hard"), nullptr);
  studio.reset();
  open({});
  QStringList words;
  for (const QLabel* label : window()->dataPage()->findChildren<QLabel*>())
    if (label->isVisible()) words << label->text();
  EXPECT_TRUE(words.join('|').remove(QChar(0x200b)).contains(QString::fromStdString((home / "idx").string())))
      << words.join('|').toStdString();
}

TEST_F(MarksTest, ANoteThatIsBeingWrittenStaysWithItsImageWhenTheNextOneComes) {
  openData();
  const auto images = *page->grid()->images();
  emit page->noteRequested(images[1], "of the second");
  page->openSample();
  auto* sample = page->sample();
  auto* note = sample->findChild<QPlainTextEdit*>("noteEdit");
  QTest::keyClick(sample, Qt::Key_N);
  ASSERT_TRUE(note->hasFocus());
  QTest::keyClicks(note, "of the first");
  QTest::mouseClick(find<QToolButton>("sampleNext"), Qt::LeftButton);
  ASSERT_EQ(sample->image(), images[1]);
  ASSERT_TRUE(waitFor([&] { return note->toPlainText() == "of the second"; })) << note->toPlainText().toStdString();
  QTest::mouseClick(find<QToolButton>("samplePrevious"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return note->toPlainText() == "of the first"; })) << note->toPlainText().toStdString();
  QTest::keyClicks(note, "!");
  studio->data()->open(QString::fromStdString(drawnIndex().string()));
  ASSERT_TRUE(waitFor([&] { return page->index()->folder() == drawnIndex(); }));
  studio.reset();
  const auto index = data::Index::open(home / "idx");
  ASSERT_TRUE(index.ok());
  const auto user = data::UserData::open(*index.value());
  ASSERT_TRUE(user.ok());
  EXPECT_TRUE(
      QString::fromStdString(user.value().note(*index.value(), images[0]).valueOr("")).contains("of the first"));
  EXPECT_TRUE(QString::fromStdString(user.value().note(*index.value(), images[0]).valueOr("")).contains("!"));
  EXPECT_EQ(user.value().note(*index.value(), images[1]).valueOr(""), "of the second");
}

TEST(Marks, WhatIsTypedBeforeTheNoteIsKnownReplacesNothing) {
  widgets::MarksPanel panel;
  panel.show();
  panel.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
  auto* note = panel.findChild<QPlainTextEdit*>("noteEdit");
  QSignalSpy changed(&panel, &widgets::MarksPanel::noteChanged);
  panel.setImage(8);
  panel.focusNote();
  QTest::keyClicks(note, "new");
  panel.setMarks({}, "old");
  EXPECT_EQ(note->toPlainText(), "old\nnew");
  panel.setMarks({}, "old");
  EXPECT_EQ(note->toPlainText(), "old\nnew") << "it is written on";
  panel.setImage(9);
  ASSERT_EQ(changed.count(), 1);
  EXPECT_EQ(changed[0][0].toUInt(), 8u);
  EXPECT_EQ(changed[0][1].toString(), "old\nnew");
  EXPECT_EQ(note->toPlainText(), "");
}

}  // namespace
}  // namespace roadtune::testing
