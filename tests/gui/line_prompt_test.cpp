// SPDX-License-Identifier: GPL-3.0-or-later
// Asking for a name in the window itself: what is wrong is said while one types, Enter takes, Esc leaves.
#include "widgets/common/line_prompt.h"

#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/fleet/fleet_page.h"
#include "widgets/panels/fleet/machine_tile.h"
#include "widgets/panels/runs/runs_page.h"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>

namespace roadtune::testing {
namespace {

struct PromptTest : StudioTest {
  void openTwo() {
    drawRun({home / "runs/night-walkers", 40, 0, true, 0, 0.5});
    drawRun({home / "runs/baseline", 30, 0, true, 0, 0.5});
    studio::Options options;
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.run = folder("baseline");
    open(options);
    page = window()->runsPage();
    ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 2; }));
    list = find<QListView>("runList");
    list->setFocus();
  }
  void chooseInList(const QString& words) {
    const QPoint at = list->visualRect(list->currentIndex()).center();
    chooseInMenu([&] { emit list->customContextMenuRequested(at); }, words);
    window()->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window()));
  }
  QString folder(const char* name) const { return QString::fromStdString((home / "runs" / name).string()); }
  QString nameOf(const char* run) const {
    return page->model()->index(page->model()->rowOf(folder(run))).data().toString();
  }
  template <class T>
  static T* in(widgets::LinePrompt* prompt, const char* name) {
    return prompt->findChild<T*>(QLatin1String(name));
  }
  widgets::RunsPage* page = nullptr;
  QListView* list = nullptr;
};

TEST_F(PromptTest, ANameThatIsTakenIsRefusedWhileOneTypesIt) {
  openTwo();
  chooseInList("Rename");
  auto* prompt = promptOf(window(), "renamePrompt");
  ASSERT_NE(prompt, nullptr);
  EXPECT_TRUE(window()->rect().contains(prompt->geometry()));
  auto* edit = in<QLineEdit>(prompt, "promptEdit");
  EXPECT_TRUE(edit->hasFocus());
  EXPECT_EQ(edit->selectedText(), "baseline") << "typing replaces it";
  QTest::keyClicks(edit, "night-walkers");
  EXPECT_EQ(in<QLabel>(prompt, "promptTold")->text(), "Another run has that name.");
  EXPECT_TRUE(in<QLabel>(prompt, "promptTold")->isVisible());
  EXPECT_FALSE(in<QPushButton>(prompt, "promptAccept")->isEnabled());
  QTest::keyClick(edit, Qt::Key_Return);
  EXPECT_TRUE(prompt->isVisible()) << "Enter takes nothing that is wrong";
  QTest::keyClicks(edit, " 2 ");
  EXPECT_FALSE(in<QLabel>(prompt, "promptTold")->isVisible());
  QTest::keyClick(edit, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return nameOf("baseline") == "night-walkers 2"; }));
  EXPECT_EQ(promptOf(window(), "renamePrompt"), nullptr);
  EXPECT_EQ(window()->focusWidget(), list) << "one goes on where one was";
}

TEST_F(PromptTest, EscAndGoingOnElsewhereLeaveEverythingAsItWas) {
  openTwo();
  chooseInList("Rename");
  auto* edit = in<QLineEdit>(promptOf(window(), "renamePrompt"), "promptEdit");
  QTest::keyClicks(edit, "other");
  QTest::keyClick(edit, Qt::Key_Escape);
  EXPECT_EQ(promptOf(window(), "renamePrompt"), nullptr);
  EXPECT_EQ(window()->focusWidget(), list);
  chooseInList("Rename");
  QTest::keyClicks(in<QLineEdit>(promptOf(window(), "renamePrompt"), "promptEdit"), "other");
  QTest::mouseClick(find<QLineEdit>("runFilter"), Qt::LeftButton);
  EXPECT_EQ(promptOf(window(), "renamePrompt"), nullptr);
  EXPECT_EQ(window()->focusWidget(), find<QLineEdit>("runFilter"));
  chooseInList("Rename");
  window()->setPage(studio::Page::Data);
  EXPECT_EQ(promptOf(window(), "renamePrompt"), nullptr) << "it does not follow to another page";
  EXPECT_EQ(nameOf("baseline"), "baseline");
}

TEST_F(PromptTest, AnEmptyTagIsComplainedOfOnlyWhenOneTries) {
  openTwo();
  QTest::keyClick(list, Qt::Key_T);
  auto* prompt = promptOf(window(), "runTagPrompt");
  ASSERT_NE(prompt, nullptr);
  EXPECT_FALSE(in<QLabel>(prompt, "promptTold")->isVisible());
  QTest::mouseClick(in<QPushButton>(prompt, "promptAccept"), Qt::LeftButton);
  EXPECT_EQ(in<QLabel>(prompt, "promptTold")->text(), "A tag needs a name.");
  answerPrompt(window(), "runTagPrompt", "hard");
  EXPECT_EQ(page->model()->marks(folder("baseline")).tags, QStringList("hard"));
  QTest::keyClick(list, Qt::Key_T);
  QTest::keyClicks(in<QLineEdit>(promptOf(window(), "runTagPrompt"), "promptEdit"), "hard");
  EXPECT_EQ(in<QLabel>(promptOf(window(), "runTagPrompt"), "promptTold")->text(), "The run has that tag.");
}

TEST(LinePrompt, SaysWhatElseHappensAndStaysInsideASmallWindow) {
  QWidget window;
  window.resize(360, 200);
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  auto* prompt =
      new widgets::LinePrompt(&window, QRect(300, 180, 40, 16),
                              {.name = "one", .title = "Save this view", .verb = "Save", .note = [](const QString&) {
                                 return QString("Takes its place.");
                               }});
  QSignalSpy answered(prompt, &widgets::LinePrompt::answered);
  QTest::keyClicks(prompt->findChild<QLineEdit*>("promptEdit"), "  night ");
  EXPECT_EQ(prompt->findChild<QLabel*>("promptTold")->text(), "Takes its place.");
  EXPECT_TRUE(prompt->findChild<QPushButton*>("promptAccept")->isEnabled());
  EXPECT_TRUE(window.rect().contains(prompt->geometry()));
  EXPECT_LT(prompt->geometry().bottom(), 181) << "above, where the window ends below";
  QTest::keyClick(prompt->findChild<QLineEdit*>("promptEdit"), Qt::Key_Return);
  ASSERT_EQ(answered.count(), 1);
  EXPECT_EQ(answered[0][0].toString(), "night");
}

TEST(FleetPage, TheGroupOfAMachineIsAskedAtItsTile) {
  widgets::FleetPage page;
  page.resize(900, 700);
  page.setMachines({{.name = "gpu1", .group = "lab", .message = {}, .reading = {}}});
  page.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&page));
  auto* prompt = page.ask("gpu1", {.name = "group", .title = "Group of gpu1", .verb = "Save", .text = "lab"});
  EXPECT_TRUE(prompt->isVisible());
  page.setMachines({});
  EXPECT_TRUE(QTest::qWaitFor([&] { return promptOf(&page, "group") == nullptr; })) << "it goes with its machine";
}

}  // namespace
}  // namespace roadtune::testing
