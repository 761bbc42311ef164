// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of every page in both themes. They are written below the build's test folder and compared by nobody; with
// ROADTUNE_SCREENSHOTS=DIR they go there (resources/docs/screenshots is made that way).
#include "tests/gui/drawn_run.h"
#include "tests/gui/made_data.h"
#include "tests/gui/studio_fixture.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/canvas/picture_pool.h"
#include "widgets/forms/schema_form.h"
#include "widgets/frame/command_palette.h"
#include "widgets/frame/status_strip.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/fleet/fleet_page.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QDir>
#include <QFileInfo>
#include <QTabBar>
#include <QTreeView>


namespace roadtune::testing {
namespace {

constexpr qint64 kLargest = 300'000;

struct Screenshots : StudioTest, ::testing::WithParamInterface<widgets::ThemeChoice> {
  QString theme() const { return GetParam() == widgets::ThemeChoice::Dark ? "dark" : "light"; }

  studio::Options options(const QString& page) const {
    studio::Options options;
    options.theme = GetParam();
    options.page = page;
    return options;
  }

  // Photographs keep five bits of a colour: half the bytes, and nobody sees it.
  void take(const QString& name, bool photographs = false) {
    QCursor::setPos(window()->mapToGlobal(window()->rect().bottomRight() - QPoint(3, 3)));
    QTest::qWait(250);
    const QString folder = qEnvironmentVariable("ROADTUNE_SCREENSHOTS", QString::fromStdString((home / "shots").string()));
    ASSERT_TRUE(QDir().mkpath(folder));
    const QString file = QDir(folder).filePath(name + QLatin1Char('-') + theme() + QStringLiteral(".png"));
    QImage picture = window()->grab().toImage();
    EXPECT_EQ(picture.size(), window()->size());
    if (photographs) picture = picture.convertToFormat(QImage::Format_RGB16, Qt::ThresholdDither).convertToFormat(QImage::Format_RGB888);
    ASSERT_TRUE(picture.save(file, "PNG", 0));
    EXPECT_LT(QFileInfo(file).size(), kLargest) << file.toStdString();
  }

  void drawRuns() const {
    LiveRun live({home / "runs/night-walkers", 400, 57, false, 4, 0.5});
    live.step(248);
    drawRun({home / "runs/lora-r8-baseline", 400, 0, true, 0, 0.5});
    drawRun({home / "runs/full-vision-frozen", 300, 0, true, 0, 0.5});
    DrawnRun lost{home / "runs/first-try", 400, 0, false, 0, 60};
    drawRun(lost);
  }
};

TEST_P(Screenshots, Empty) {
  open(options("data"));
  take("empty");
}

TEST_P(Screenshots, Data) {
  auto wanted = options("data");
  wanted.size = QSize(1080, 660);
  wanted.data = QString::fromStdString(drawnIndex().string());
  open(wanted);
  auto* grid = window()->dataPage()->grid();
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 120; }));
  window()->dataPage()->queryLine()->setText("count(pedestrian)>=1");
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() < 120; }));
  window()->dataPage()->setThumbnailWidth(130);
  grid->setFocus();
  QTest::qWait(1500);
  take("data", true);
  window()->dataPage()->openSample();
  QTest::qWait(1200);
  take("sample", true);
}

TEST_P(Screenshots, Train) {
  home.write("night-walkers.yaml",
             "# Small boxes first\nmodel:\n  model_name_or_path: " + tinyModel().string() + "\ndata:\n  train_data: " + drawnIndex().string() +
                 "\nmethod:\n  finetuning_type: lora\n  freeze_vision_tower: true\n  r: 8\n  lora_alpha: 16\n  target_modules: [q_proj, k_proj, v_proj, o_proj]\n  modules: {language_model.layers.1: full}\ntrain:\n"
                 "  per_device_train_batch_size: 4\n  gradient_accumulation_steps: 4\n  learning_rate: 2.0e-4   # warm\n  max_steps: 400\noutput:\n  output_dir: " +
                 (home / "runs/night-walkers").string() + "\n");
  auto wanted = options("train");
  wanted.config = QString::fromStdString((home / "night-walkers.yaml").string());
  open(wanted);
  auto* tree = find<QTreeView>("moduleTree");
  ASSERT_TRUE(waitFor([&] { return tree->model()->rowCount() >= 3; }));
  for (int row = 0; row < tree->model()->rowCount(); ++row) {
    const QModelIndex index = tree->model()->index(row, 0);
    if (index.data().toString() == QLatin1String("Language model")) tree->expand(index);
  }
  take("train");
  find<QTabBar>("configTabs")->setCurrentIndex(1);
  take("train-yaml");
}

TEST_P(Screenshots, Runs) {
  drawRuns();
  auto wanted = options("runs");
  wanted.runRoots = {QString::fromStdString((home / "runs").string())};
  wanted.run = QString::fromStdString((home / "runs/night-walkers").string());
  open(wanted);
  auto* loss = window()->runsPage()->plots()->plot("loss");
  ASSERT_TRUE(waitFor([&] { return !loss->curves().empty() && !loss->curves()[0].x.empty(); }));
  QTest::qWait(1500);
  QTest::mouseMove(loss->canvas(), {loss->canvas()->width() * 6 / 10, 40});
  take("runs");
}

TEST_P(Screenshots, Fleet) {
  open(options("fleet"));
  ASSERT_TRUE(waitFor([&] { return window()->fleetPage()->checks()->rowCount() >= 6; }, 60));
  QTest::qWait(2500);
  take("fleet");
}

TEST_P(Screenshots, Palette) {
  open(options("runs"));
  QTest::keyClick(window(), Qt::Key_K, Qt::ControlModifier);
  take("palette");
}

INSTANTIATE_TEST_SUITE_P(Both, Screenshots, ::testing::Values(widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark),
                         [](const auto& choice) { return choice.param == widgets::ThemeChoice::Dark ? std::string("Dark") : std::string("Light"); });

}  // namespace
}  // namespace roadtune::testing
