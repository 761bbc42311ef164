// SPDX-License-Identifier: GPL-3.0-or-later
// From what a run learnt to the images themselves, also where other data is open, and what can be done with them there.
#include "app/studio/image_query.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/canvas/image_menu.h"
#include "widgets/canvas/image_view.h"
#include "widgets/common/elided_label.h"
#include "widgets/models/query_text.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/runs/runs_page.h"

#include <QLabel>

#include <algorithm>
#include <filesystem>

namespace roadtune::testing {
namespace {

struct SampleVisitTest : StudioTest {
  void SetUp() override {
    StudioTest::SetUp();
    const std::string questions = (home / "questions").string(), made = (home / "made").string();
    ASSERT_EQ(runProgram({"roadtune", "data", "synth", "--format", "jsonl", "--segments", "1", "--frames", "2",
                          "--scale", "0.1", "--out", made})
                  .exitCode,
              0);
    std::string lines;
    for (const auto& file : std::filesystem::directory_iterator(home / "made/images"))
      names.push_back("images/" + file.path().filename().string());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
      lines += R"({"image":")" + name + R"(","prefix":"answer en how many?","suffix":"two"})" + "\n";
    home.write("made/data.jsonl", lines);
    ASSERT_EQ(runProgram({"roadtune", "data", "index", made, "--out", questions}).exitCode, 0);
    drawRun({home / "runs/vqa", 30, 0, true, 0, 0.5});
    home.write("runs/vqa/run.yaml", "model_name_or_path: m\ntrain_data: " + questions + "\noutput_dir: runs/vqa\n");
    studio::Options options;
    options.data = QString::fromStdString(drawnIndex().string());
    options.run = QString::fromStdString((home / "runs/vqa").string());
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.page = "runs";
    open(options);
    page = window()->dataPage();
    ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 120; }));
  }
  void ask(std::size_t many) const {
    QStringList samples;
    for (std::size_t i = 0; i < many; ++i) samples << QString::fromStdString(names[i]);
    emit window()->runsPage()->imagesRequested(samples);
  }
  std::vector<std::string> names;
  widgets::DataPage* page = nullptr;
};

TEST_F(SampleVisitTest, TheDataOfTheRunIsOpenedAndHoldsTheImages) {
  ask(3);
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 3; })) << page->query().toStdString();
  EXPECT_EQ(window()->page(), studio::Page::Data);
  for (const data::ImageId image : *page->grid()->images()) {
    const std::string name = page->index()->imageLabel(image);
    EXPECT_NE(std::find(names.begin(), names.begin() + 3, name), names.begin() + 3) << name;
  }
}

TEST_F(SampleVisitTest, OneImageIsLargeAndCanBeLeftOutOfTrainingThere) {
  ask(1);
  ASSERT_TRUE(waitFor([&] { return page->showsSample(); }));
  EXPECT_EQ(page->index()->imageLabel(*page->sample()->image()), names[0]);
  QWidget* view = page->sample()->view();
  chooseInMenu([&] { openMenuByKey(view); }, "Leave out of training");
  EXPECT_TRUE(waitFor([&] { return window()->findChild<QAbstractButton*>("facet_tag_excluded") != nullptr; }));
}

TEST_F(SampleVisitTest, AQuestionIsReadBesideItsImage) {
  ask(3);
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 3; }));
  auto* words = page->findChild<QWidget*>("inspector")->findChild<QLabel*>("imageWords");
  ASSERT_TRUE(waitFor([&] { return words->text().contains("how many?\ntwo"); })) << words->text().toStdString();
  EXPECT_TRUE(words->isVisible());
}

TEST_F(SampleVisitTest, AStepShowsPicturesOfTheRunsOwnDataWhereOtherDataIsOpen) {
  widgets::StepFacts facts;
  facts.folder = QString::fromStdString((home / "runs/vqa").string());
  facts.step = 3;
  for (const std::size_t i : {0, 1}) facts.samples.emplace_back(QString::fromStdString(names[i]), std::nullopt);
  auto* grid = find<widgets::ImageGrid>("stepImages");
  EXPECT_TRUE(grid->isHidden());
  window()->runsPage()->setStep(facts);
  ASSERT_TRUE(waitFor([&] { return !grid->isHidden() && grid->images()->size() == 2; }));
  EXPECT_NE(page->index(), nullptr);
  EXPECT_EQ(page->grid()->images()->size(), 120u) << "what is open stays open";
  auto* menu = new widgets::ImageMenu(grid, true, false);
  QStringList words;
  for (const QAction* one : menu->actions()) words << one->text();
  EXPECT_EQ(words, QStringList({"Open", "Copy name"})) << "tags are of the data that is open";
  delete menu;
}

TEST_F(SampleVisitTest, SamplesThatAreNowhereAreSaidToBe) {
  emit window()->runsPage()->imagesRequested({"images/none.jpg"});
  auto* told = find<widgets::ElidedLabel>("statusMessage");
  EXPECT_TRUE(waitFor([&] { return told->text().contains("are in no index"); })) << told->text().toStdString();
  EXPECT_EQ(window()->page(), studio::Page::Runs);
  emit window()->runsPage()->runSelected({});
  EXPECT_EQ(told->text(), "") << "it was said of another run";
}

TEST(ImageQuery, NamesWhatTheIndexHasAndNothingElse) {
  const auto index = data::Index::open(drawnIndex()).value();
  const QString label = QString::fromStdString(index->imageLabel(7));
  const QStringList parts = label.split('/');
  ASSERT_EQ(parts.size(), 3);
  const auto images = studio::imagesNamed(*index, {"x.jsonl:3", label, "none/1/FRONT"});
  EXPECT_EQ(images, std::vector<data::ImageId>{7});
  EXPECT_EQ(studio::queryOfImages(*index, images),
            QStringLiteral("(segment=%1 and timestamp=%2 and camera=%3)")
                .arg(widgets::queryValue(parts[0]), parts[1], parts[2].toLower()));
  EXPECT_EQ(studio::queryOfImages(*index, {}), "");
}

}  // namespace
}  // namespace roadtune::testing
