// SPDX-License-Identifier: GPL-3.0-or-later
// The demo of the window, with the real programs: its run is nobody's child.
#include "app/studio/child_job.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/run_control.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/panels/runs/runs_page.h"

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
