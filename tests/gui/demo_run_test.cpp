// SPDX-License-Identifier: GPL-3.0-or-later
// The demo of the window, with the real programs: its run is nobody's child.
#include "app/studio/child_job.h"
#include "app/studio/train_controller.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/run_control.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/common/elided_label.h"
#include "widgets/panels/runs/runs_page.h"

#include <QLineEdit>
#include <QPushButton>

#include <filesystem>

namespace roadtune::testing {
namespace {

struct DemoRun : StudioTest {
  void SetUp() override {
    if (!std::filesystem::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
    StudioTest::SetUp();
    qputenv("XDG_RUNTIME_DIR", home.path().string().c_str());
  }
  void TearDown() override {
    if (remote::isAlive(run())) runProgram({"roadtune", "stop", run().string(), "--now"});
    StudioTest::TearDown();
  }
  std::filesystem::path run() const { return home / "demo/runs/demo"; }
  std::int64_t lastStep() const {
    std::int64_t step = 0;
    protocol::EventReader events(protocol::RunLayout(run()).rankEvents(0));
    for (const protocol::Event& event : events.poll().valueOr({}))
      if (event.kind == "step") step = event.step;
    return step;
  }
};

TEST_F(DemoRun, GoesOnWhenTheWindowIsClosed) {
  std::filesystem::create_directories(home / "demo");
  prepareDemo(home / "demo");
  std::string longer = readAll(home / "demo/demo.yaml");
  longer.replace(longer.find("max_steps: 240"), 14, "max_steps: 99999");
  home.write("demo/demo.yaml", longer);
  studio::Options options;
  options.demo = true;
  options.demoFolder = QString::fromStdString((home / "demo").string());
  open(options);
  ASSERT_TRUE(waitFor([&] { return lastStep() > 0; }, 90));
  EXPECT_EQ(window()->runsPage()->selectedRun().toStdString(), run().string());
  window()->close();
  studio.reset();
  const std::int64_t then = lastStep();
  EXPECT_TRUE(waitFor([&] { return lastStep() > then + 5; }, 60));
  EXPECT_TRUE(remote::isAlive(run()));
}

TEST_F(DemoRun, OfItsConfigurationNothingIsEditedBeforeSomebodyDoes) {
  std::filesystem::create_directories(home / "demo");
  prepareDemo(home / "demo");
  studio::Options options;
  options.demo = true;
  options.demoFolder = QString::fromStdString((home / "demo").string());
  options.page = QStringLiteral("train");
  open(options);
  auto* beside = find<QPushButton>("startWayOut");
  ASSERT_TRUE(waitFor([&] { return beside->isVisible(); }, 90)) << "its run has taken the folder";
  EXPECT_EQ(beside->text(), "Use demo-2");
  EXPECT_TRUE(find<QPushButton>("startRun")->isEnabled()) << "a start takes that by itself";
  EXPECT_EQ(find<widgets::ElidedLabel>("configName")->text(), "demo.yaml");
  EXPECT_FALSE(find<QLineEdit>("edit_output_dir")->property("invalid").toBool()) << "that is no mistake";
  EXPECT_FALSE(studio->train()->document().unsaved());
  EXPECT_FALSE(studio->train()->canUndo());
}

TEST(ChildLines, ErrorsAndMessagesAreWordsForPeople) {
  const auto words = [](const char* line) { return studio::readChildLine(line).text; };
  EXPECT_EQ(words("{\"command\":\"data index\",\"error\":\"/a: no such file or folder\",\"exit_code\":2}\n"),
            "/a: no such file or folder");
  EXPECT_EQ(words("{\"message\":\"the ranks are still loading\"}\n"), "the ranks are still loading");
  EXPECT_EQ(words("two words\n"), "two words");
  const auto progress =
      studio::readChildLine("{\"stage\":\"indexing\",\"done\":3,\"total\":10,\"unit\":\"segments\"}\n").progress;
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->done, 3u);
}

}  // namespace
}  // namespace roadtune::testing
