// SPDX-License-Identifier: GPL-3.0-or-later
// A run that learns from recordings, started from the window: they are imported first, as `roadtune train` does it.
#include "app/studio/source_preparation.h"

#include "core/base/files.h"
#include "core/config/resolve.h"
#include "core/data/index/index.h"
#include "core/data/records/tfrecord_writer.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/run_control.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/train/dry_run_panel.h"
#include "widgets/panels/train/train_page.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>

#include <filesystem>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;

struct PreparedSources : StudioTest {
  void SetUp() override {
    StudioTest::SetUp();
    qputenv("XDG_RUNTIME_DIR", home.path().string().c_str());
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() +
                               "\ntrain_data: " + drawnRecordings().string() + "\noutput_dir: " + run().string() +
                               "\nfinetuning_type: full\nmax_steps: 1000\nper_device_train_batch_size: 2\n"
                               "num_probe_samples: 1\nmax_new_tokens: 8\ndevice: cpu\n");
  }
  void TearDown() override {
    if (remote::isAlive(run())) runProgram({"roadtune", "stop", run().string(), "--now"});
    StudioTest::TearDown();
    qunsetenv("ROADTUNE_TRAINER");
    qunsetenv("FAKE_RANK");
  }
  fs::path run() const { return home / "run"; }
  void openTrain() {
    studio::Options options;
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.page = "train";
    open(options);
    ASSERT_TRUE(waitFor([&] { return find<QPushButton>("startRun")->isEnabled(); }));
  }
  // Of the recordings, where the run's ranks look for it.
  std::size_t imagesPrepared() const {
    std::error_code none;
    for (const auto& one : fs::directory_iterator(protocol::RunLayout(run()).preparedData(), none)) {
      const auto index = data::Index::open(one.path());
      if (index.ok()) return index.value()->imageCount();
    }
    return 0;
  }
};

TEST_F(PreparedSources, RecordingsAreImportedBeforeTheRunStarts) {
  qputenv("ROADTUNE_TRAINER", ROADTUNE_BIN_DIR "/../fakes/fake-rank");
  qputenv("FAKE_RANK", "steps=100000 step_ms=5");
  openTrain();
  QTest::mouseClick(find<QPushButton>("startRun"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Runs; }, 60))
      << window()->trainPage()->notice()->text().toStdString();
  EXPECT_EQ(imagesPrepared(), 120u);
  EXPECT_TRUE(waitFor([&] { return remote::isAlive(run()); }));
}

TEST_F(PreparedSources, ADryRunOfThemProvesTheRun) {
  if (!fs::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
  openTrain();
  QTest::mouseClick(find<QPushButton>("dryRun"), Qt::LeftButton);
  const auto* panel = window()->findChild<widgets::DryRunPanel*>();
  ASSERT_TRUE(waitFor([&] { return panel->isVisible() && !panel->running(); }, 90));
  EXPECT_EQ(panel->findChild<QLabel*>("dryRunState")->text(), "With these settings the run will work.")
      << window()->trainPage()->notice()->text().toStdString();
  EXPECT_EQ(imagesPrepared(), 120u) << "the run itself finds it there";
}

TEST_F(PreparedSources, ItEndsWhenNobodyWaitsAnyMore) {
  const auto config = config::loadRunConfig(home / "run.yaml");
  ASSERT_TRUE(config.ok());
  studio::EndableProgress progress(nullptr, std::make_shared<const std::atomic<bool>>(true));
  const Status status = studio::prepareSources(config.value(), run(), false, progress);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::Cancelled) << status.error().text();
}

TEST_F(PreparedSources, WhatCannotBeImportedIsSaidInWords) {
  home.write("broken/segment-1_with_camera_labels.tfrecord", "no record at all");
  const auto config =
      config::loadRunConfig(home / "run.yaml", {.overrides = {"train_data=" + (home / "broken").string()}});
  ASSERT_TRUE(config.ok());
  studio::EndableProgress progress(nullptr, std::make_shared<const std::atomic<bool>>(false));
  const Status status = studio::prepareSources(config.value(), run(), false, progress);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text().find('{'), std::string::npos) << status.error().text();
}

// A frame as Waymo writes it, in the smallest form: context.name, timestamp, one picture.
std::string smallestFrame() {
  const auto bytes = [](int field, const std::string& value) {
    return std::string(1, static_cast<char>(field << 3 | 2)) + static_cast<char>(value.size()) + value;
  };
  const std::string picture = std::string("\x08\x01", 2) + bytes(2, "\xff\xd8 no picture");
  return bytes(1, bytes(1, "1_2_3_4_5")) + std::string("\x10\x05", 2) + bytes(4, picture);
}

TEST_F(PreparedSources, WaymosLicenceIsAskedForOnTheDataPage) {
  qputenv("XDG_CONFIG_HOME", (home / "config").string().c_str());
  std::string content;
  data::appendTfRecord(content, smallestFrame());
  home.write("waymo/training_segment.tfrecord", content);
  std::string settings = readAll(home / "run.yaml");
  const std::string before = drawnRecordings().string();
  home.write("run.yaml", settings.replace(settings.find(before), before.size(), (home / "waymo").string()));
  openTrain();
  QTest::mouseClick(find<QPushButton>("startRun"), Qt::LeftButton);
  auto* notice = window()->trainPage()->notice();
  ASSERT_TRUE(waitFor([&] { return notice->text().contains("acknowledgement of its licence"); }, 60))
      << notice->text().toStdString();
  EXPECT_FALSE(notice->text().contains("--accept")) << notice->text().toStdString();
  for (auto* button : notice->findChildren<QPushButton*>())
    if (button->text() == QLatin1String("Import it")) QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(window()->page(), studio::Page::Data);
  EXPECT_TRUE(waitFor([&] { return find<QCheckBox>("importAccept")->isVisible(); }));
  qunsetenv("XDG_CONFIG_HOME");
}

}  // namespace
}  // namespace roadtune::testing
