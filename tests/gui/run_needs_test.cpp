// SPDX-License-Identifier: GPL-3.0-or-later
// The check before a run knows what the run needs: room for its checkpoints where it writes, and how its data is read.
#include "app/studio/fleet_controller.h"
#include "app/studio/studio.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/panels/fleet/machine_reading.h"

#include <QFileInfo>
#include <QLabel>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct RunNeedsTest : StudioTest {
  void check(const std::string& more) {
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "runs/one").string() + "\nfinetuning_type: full\n" + more);
    studio::Options options;
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.page = "train";
    open(options);
    ASSERT_TRUE(waitFor([&] { return !studio->fleet()->checking(); }, 60));
    QTest::mouseClick(find<QToolButton>("whereCheck"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !readings().empty() && !studio->fleet()->checking(); }, 60));
  }
  std::vector<widgets::PreflightCheck> checks() const {
    const auto columns = studio->fleet()->columns({"This machine"});
    return columns.empty() ? std::vector<widgets::PreflightCheck>() : columns[0].checks;
  }
  std::vector<widgets::PreflightCheck> readings() const {
    auto found = checks();
    std::erase_if(found, [](const auto& one) { return !one.key.startsWith("reads "); });
    return found;
  }
};

TEST_F(RunNeedsTest, TheDataIsReadAndTheDiskIsThatOfTheRun) {
  check({});
  const auto reads = readings();
  ASSERT_EQ(reads.size(), 1u);
  EXPECT_EQ(widgets::checkTitle(reads[0].key),
            "Reading " + QFileInfo(QString::fromStdString(drawnIndex().string())).fileName());
  EXPECT_TRUE(reads[0].found.contains(" a sample (95 % under ")) << reads[0].found.toStdString();
  for (const auto& one : checks())
    if (one.key == "disk") {
      EXPECT_TRUE(one.found.contains(QString::fromStdString(home.path().string()))) << one.found.toStdString();
    }
}

TEST_F(RunNeedsTest, TooLittleRoomForTheCheckpointsIsSaidBesideStart) {
  check("save_total_limit: 100000000\n");
  auto* fitness = find<QLabel>("whereFitness");
  ASSERT_TRUE(waitFor([&] { return fitness->toolTip().contains("save_total_limit"); }))
      << fitness->text().toStdString() << " / " << fitness->toolTip().toStdString();
}

}  // namespace
}  // namespace roadtune::testing
