// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of every page in both themes. They are written below the build's test folder and compared by nobody; with
// ROADTUNE_SCREENSHOTS=DIR they go there (resources/docs/screenshots is made that way). For a critic's round,
// ROADTUNE_SCREENSHOT_LANGUAGE=de and ROADTUNE_SCREENSHOT_SIZE=1280x800 make the same in another guise.
#include "core/data/index/index.h"
#include "remote/queue/job_queue.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/fewer_colours.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/canvas/picture_pool.h"
#include "widgets/forms/schema_form.h"
#include "widgets/frame/command_palette.h"
#include "widgets/frame/status_strip.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/data/side_drawer.h"
#include "widgets/panels/fleet/fleet_page.h"
#include "widgets/panels/fleet/preflight_history_panel.h"
#include "widgets/panels/fleet/preflight_model.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

#include <fstream>

namespace roadtune::testing {
namespace {

// As they are written; `./dev screenshots` makes them a third of that.
constexpr qint64 kLargest = 350'000, kLargestSharp = 1'600'000;

// With QT_SCALE_FACTOR=2.
bool sharp() { return qApp->devicePixelRatio() > 1; }

bool criticsRound() { return qEnvironmentVariableIsSet("ROADTUNE_SCREENSHOT_SIZE"); }

struct Screenshots : StudioTest, ::testing::WithParamInterface<widgets::ThemeChoice> {
  QString theme() const { return GetParam() == widgets::ThemeChoice::Dark ? "dark" : "light"; }

  studio::Options options(const QString& page) const {
    studio::Options options;
    options.theme = GetParam();
    options.page = page;
    options.language = qEnvironmentVariable("ROADTUNE_SCREENSHOT_LANGUAGE");
    options.size = sizeOr({});
    return options;
  }

  static QSize sizeOr(const QSize& usual) {
    const QStringList size = qEnvironmentVariable("ROADTUNE_SCREENSHOT_SIZE").split(QLatin1Char('x'));
    return size.size() == 2 ? QSize(size[0].toInt(), size[1].toInt()) : usual;
  }

  void take(const QString& name, bool photographs = false) {
    QCursor::setPos(window()->mapToGlobal(window()->rect().bottomRight() - QPoint(3, 3)));
    QTest::qWait(250);
    const QString folder =
        qEnvironmentVariable("ROADTUNE_SCREENSHOTS", QString::fromStdString((home / "shots").string()));
    ASSERT_TRUE(QDir().mkpath(folder));
    const QString file =
        QDir(folder).filePath(name + QLatin1Char('-') + theme() + (sharp() ? QStringLiteral("@2x.png") : ".png"));
    QImage picture = window()->grab().toImage();
    EXPECT_EQ(picture.size(), window()->size() * qApp->devicePixelRatio());
    if (photographs) picture = withFewerColours(picture);
    ASSERT_TRUE(picture.save(file, "PNG", 0));
    if (!criticsRound()) EXPECT_LT(QFileInfo(file).size(), sharp() ? kLargestSharp : kLargest) << file.toStdString();
  }

  void drawRuns() const {
    LiveRun live({home / "runs/night-walkers", 400, 57, false, 4, 0.5});
    live.step(248);
    drawRun({home / "runs/lora-r8-baseline", 400, 0, true, 0, 0.5});
    drawRun({home / "runs/full-vision-frozen", 300, 0, true, 0, 0.5});
    DrawnRun lost{home / "runs/first-try", 400, 0, false, 0, 60};
    drawRun(lost);
    queueRuns();
  }

  void queueRuns() const {
    const remote::JobQueue queue;
    for (const char* name : {"night-walkers-448", "rain-full", "lora-r16"}) {
      remote::QueueJob job{.config = std::string(name) + ".yaml", .folder = (home / "runs" / name).string()};
      if (std::string(name) == "rain-full") job.hosts = {"gpu1", "gpu2"};
      ASSERT_TRUE(queue.add(job).ok());
    }
  }
};

TEST_P(Screenshots, Empty) {
  open(options("data"));
  take("empty");
}

TEST_P(Screenshots, Data) {
  auto wanted = options("data");
  wanted.size = sizeOr({1197, 682});
  wanted.data = QString::fromStdString(drawnIndex().string());
  open(wanted);
  auto* grid = window()->dataPage()->grid();
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 120; }));
  window()->dataPage()->queryLine()->setText("count(pedestrian)>=1");
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() < 120; }));
  window()->dataPage()->setThumbnailWidth(170);
  grid->setFocus();
  QTest::qWait(1500);
  take("data", true);
  window()->dataPage()->openSample();
  QTest::qWait(1200);
  take("sample", true);
}

TEST_P(Screenshots, Train) {
  // A picture names no folder of the machine that took it: this is somebody's home.
  const QByteArray machine = qgetenv("HOME");
  qputenv("HOME", home.path().string().c_str());
  std::filesystem::create_directories(home / "models");
  std::filesystem::create_directories(home / "data");
  std::filesystem::create_directory_symlink(tinyModel(), home / "models/paligemma2-tiny");
  std::filesystem::create_directory_symlink(drawnIndex(), home / "data/street-scenes");
  home.write(
      "night-walkers.yaml",
      "# Small boxes first\nmodel:\n  model_name_or_path: ~/models/paligemma2-tiny\n"
      "data:\n  train_data: ~/data/street-scenes\nmethod:\n  finetuning_type: lora\n  freeze_vision_tower: true\n "
      " r: 8\n  lora_alpha: 16\n  "
      "target_modules: [q_proj, k_proj, v_proj, o_proj]\n  modules: {language_model.layers.1: full}\ntrain:\n"
      "  per_device_train_batch_size: 4\n  gradient_accumulation_steps: 4\n  learning_rate: 2.0e-4   # warm\n  "
      "max_steps: 400\noutput:\n  output_dir: ~/runs/night-walkers\n");
  auto wanted = options("train");
  wanted.config = QString::fromStdString((home / "night-walkers.yaml").string());
  open(wanted);
  auto* tree = find<QTreeView>("moduleTree");
  ASSERT_TRUE(waitFor([&] { return tree->model()->rowCount() >= 3; }));
  for (int row = 0; row < tree->model()->rowCount(); ++row) {
    const QModelIndex index = tree->model()->index(row, 0);
    if (index.data().toString() == QLatin1String("Language model")) tree->expand(index);
  }
  const auto* fitness = find<QLabel>("whereFitness");  // what this machine is worth is looked up meanwhile
  ASSERT_TRUE(waitFor([&] { return fitness->text() != "Not checked yet"; }));
  take("train");
  if (criticsRound()) {
    QTest::mouseClick(find<QPushButton>("varyRun"), Qt::LeftButton);
    QTest::keyClicks(find<QLineEdit>("variantValues"), "1e-4, 2e-4, 5e-4");
    QTest::mouseClick(find<QPushButton>("variantMore"), Qt::LeftButton);
    QTest::keyClicks(window()->findChildren<QLineEdit*>("variantValues")[1], "8, 16");
    QTest::qWait(300);
    take("panel-variants", true);
  }
  find<QTabBar>("configTabs")->setCurrentIndex(1);
  take("train-yaml");
  find<QTabBar>("configTabs")->setCurrentIndex(0);
  qputenv("HOME", machine);
  if (!criticsRound()) return;
  QTest::mouseClick(find<QToolButton>("allSettings"), Qt::LeftButton);
  take("train-all");
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

// One step with its pictures: what a click on a point shows.
TEST_P(Screenshots, Step) {
  const auto index = data::Index::open(drawnIndex());
  ASSERT_TRUE(index.ok());
  drawRun({home / "runs/night-walkers", 400, 57, true, 4, 0.5});
  std::string samples;
  for (const data::ImageId image : {0, 7, 15, 22, 41, 62, 85, 101})
    samples += (samples.empty() ? "\"" : ",\"") + index.value()->imageLabel(image) + "\"";
  home.write("runs/night-walkers/provenance/rank-000.jsonl", "{\"step\":57,\"samples\":[" + samples + "]}\n");
  std::ofstream(home / "runs/night-walkers/logs/rank-000.log", std::ios::app)
      << "step 57/400  loss nan  grad_norm nan  lr 1.712e-04  epoch 2.28  128.4 samples/s\n";
  auto wanted = options("runs");
  wanted.data = QString::fromStdString(drawnIndex().string());
  wanted.run = QString::fromStdString((home / "runs/night-walkers").string());
  open(wanted);
  auto* page = window()->runsPage();
  auto* loss = page->plots()->plot("loss");
  ASSERT_TRUE(waitFor([&] { return !loss->curves().empty() && !loss->curves()[0].x.empty(); }));
  ASSERT_TRUE(waitFor([&] { return window()->dataPage()->index() != nullptr; }));
  find<QSplitter>("runsInner")->setSizes({430, 330});
  emit page->stepRequested(57);
  auto* pictures = find<widgets::ImageGrid>("stepImages");
  ASSERT_TRUE(waitFor([&] { return pictures->isVisible() && pictures->images()->size() == 8; }));
  QTest::qWait(1200);
  take("step", true);
}

// Machines as they look while they train; nobody has them at hand when pictures are taken.
widgets::MachineReadingPtr drawnMachine(const char* host, double busy) {
  auto reading = std::make_shared<widgets::MachineReading>();
  reading->host = QLatin1String(host);
  reading->system = QStringLiteral("Ubuntu 24.04.3 LTS");
  reading->processor = QStringLiteral("AMD EPYC 9654");
  reading->cores = 192;
  reading->cpuPercent = 18 * busy;
  reading->load = 31.4 * busy;
  reading->memoryTotal = 1'510'000'000'000;
  reading->memoryUsed = 212'000'000'000;
  reading->diskTotal = 7'680'000'000'000;
  reading->diskFree = 5'120'000'000'000;
  reading->received = 38e6 * busy;
  reading->sent = 41e6 * busy;
  reading->driver = QStringLiteral("580.65");
  for (int i = 0; i < 4; ++i) {
    reading->gpus.push_back({i,
                             QStringLiteral("NVIDIA H200"),
                             (91.0 + i) * busy,
                             140 + 520 * busy,
                             34 + 27 * busy,
                             static_cast<std::uint64_t>(2e9 + 110e9 * busy),
                             150'750'000'000,
                             {}});
    if (busy > 0.5)
      reading->processes.push_back(
          {41870 + i, "ada", "roadtune-train", "night-walkers", {i}, 21'000'000'000, 111'200'000'000});
  }
  if (busy <= 0.5) reading->processes.push_back({3127, "lin", "python3", {}, {0}, 4'100'000'000, 6'200'000'000});
  return reading;
}

widgets::PreflightMatrixPtr drawnMatrix() {
  using widgets::PreflightCheck;
  using Verdict = PreflightCheck::Verdict;
  auto matrix = std::make_shared<widgets::PreflightMatrix>();
  const auto column = [](const QString& host, const QString& clock, Verdict verdict, const QString& advice) {
    return widgets::PreflightColumn{host,
                                    {{"reach", Verdict::Good, "connected in 84 ms, host key known", {}},
                                     {"system", Verdict::Good, "Ubuntu 24.04.3 LTS, kernel 6.8.0, glibc 2.39", {}},
                                     {"memory", Verdict::Good, "1.3 TB of 1.5 TB available", {}},
                                     {"disk", Verdict::Good, "5.1 TB free at /home/ada, writes 2.1 GB/s", {}},
                                     {"shm", Verdict::Good, "755 GB free in /dev/shm", {}},
                                     {"driver", Verdict::Good, "580.65 (CUDA 13.0)", {}},
                                     {"gpu", Verdict::Good, "4 × NVIDIA H200: 148.7 GB of 150.8 GB free", {}},
                                     {"clock", verdict, clock, advice}}};
  };
  matrix->machines = {
      column("gpu1", "+2 ms from here", Verdict::Good, {}),
      column("gpu2", "+812 ms from here", Verdict::Warning, "let chrony or systemd-timesyncd set the clock")};
  matrix->together = {
      {"same driver", Verdict::Good, "580.65", {}},
      {"same nccl", Verdict::Good, "2.28.9", {}},
      {"links", Verdict::Good, "2 of 2 pairs; 1.2 GB/s to 11.8 GB/s, 0.05 ms to 0.07 ms there and back", {}},
      {"link gpu2 → gpu1", Verdict::Warning, "1.2 GB/s, 0.07 ms there and back; 11.8 GB/s is usual here",
       "a bad cable, a slow switch port or the wrong interface; this pair slows every step"},
      {"all-reduce", Verdict::Good, "2 machines add up 4 MB in 3.4 ms over NCCL between graphics cards", {}}};
  return matrix;
}

// Last week's check and two of today: a driver was renewed in between.
widgets::PreflightRecords drawnHistory() {
  widgets::PreflightRecords records;
  for (const double days : {7.0, 0.3, 0.1}) {
    records.push_back({.when = 1790000000 - days * 86400, .matrix = *drawnMatrix()});
    for (widgets::PreflightColumn& machine : records.back().matrix.machines)
      for (widgets::PreflightCheck& check : machine.checks)
        if (days > 1 && check.key == QLatin1String("driver")) check.found = QStringLiteral("570.86 (CUDA 12.8)");
  }
  return records;
}

TEST_P(Screenshots, Fleet) {
  open(options("fleet"));
  auto* page = window()->fleetPage();
  const auto* summary = page->findChild<QLabel*>(QStringLiteral("preflightSummary"));
  ASSERT_NE(summary, nullptr);
  const auto checked = [&] { return page->checks()->rowCount() >= 6 && !summary->text().endsWith(QChar(0x2026)); };
  ASSERT_TRUE(waitFor(checked, 60));  // what comes later would take the drawn ones' place
  page->setMachines({{.name = "gpu1", .group = "night shift", .message = {}, .reading = {}},
                     {.name = "gpu2", .group = "night shift", .message = {}, .reading = {}}});
  page->setMachine({.name = "gpu1",
                    .group = "night shift",
                    .state = widgets::MachineState::Ready,
                    .message = {},
                    .reading = drawnMachine("gpu1", 1)});
  page->setMachine({.name = "gpu2",
                    .group = "night shift",
                    .state = widgets::MachineState::Ready,
                    .message = {},
                    .reading = drawnMachine("gpu2", 0.05)});
  page->setMatrix(drawnMatrix());
  page->history()->setRecords(drawnHistory());
  QTest::qWait(1200);
  take("fleet");
}

TEST_P(Screenshots, Palette) {
  open(options("runs"));
  QTest::keyClick(window(), Qt::Key_K, Qt::ControlModifier);
  take("palette");
}

// What is no picture of the documentation, for a critic's round only.
TEST_P(Screenshots, Panels) {
  if (!criticsRound()) GTEST_SKIP() << "only with ROADTUNE_SCREENSHOT_SIZE, for a critic's round";
  auto wanted = options("data");
  wanted.data = QString::fromStdString(drawnIndex().string());
  open(wanted);
  auto* page = window()->dataPage();
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 120; }));
  QTest::mouseClick(find<QToolButton>("dataQuality"), Qt::LeftButton);
  QTest::qWait(1500);
  take("panel-quality", true);
  QTest::mouseClick(find<QToolButton>("dataExport"), Qt::LeftButton);
  take("panel-export", true);
  studio->data()->importFrom({QString::fromStdString(drawnRecordings().string())});
  QTest::qWait(1500);
  take("panel-import", true);
  page->drawer()->close();
  page->openSample();
  QTest::keyClick(page->sample(), Qt::Key_J);
  find<QAction>("modelSide448")->trigger();
  QTest::qWait(900);
  take("panel-model", true);
  find<QAction>("modelSide0")->trigger();
  QTest::qWait(300);
  take("panel-layers", true);
  page->closeSample();
  page->queryLine()->setText("count(pedestriam)>=1 and");
  QTest::qWait(400);
  take("panel-query-error", true);
}

TEST_P(Screenshots, Windows) {
  if (!criticsRound()) GTEST_SKIP() << "only with ROADTUNE_SCREENSHOT_SIZE, for a critic's round";
  open(options("fleet"));
  QTest::keyClick(window(), Qt::Key_F1);
  take("window-keys");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  QTest::keyClick(window(), Qt::Key_Comma, Qt::ControlModifier);
  take("window-settings");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  window()->setPage(studio::Page::Train);
  take("train-empty");
  window()->setPage(studio::Page::Runs);
  take("runs-empty");
}

TEST_P(Screenshots, Tabs) {
  if (!criticsRound()) GTEST_SKIP() << "only with ROADTUNE_SCREENSHOT_SIZE, for a critic's round";
  const auto index = data::Index::open(drawnIndex());
  ASSERT_TRUE(index.ok());
  drawRuns();
  std::string ledger;
  for (data::ImageId image = 0; image < index.value()->imageCount(); image += 3)
    ledger += "{\"step\":" + std::to_string(20 + image) + ",\"epoch\":0.5,\"sample\":\"" +
              index.value()->imageLabel(image) + "\",\"loss\":" + std::to_string(0.3 + image * 0.07) +
              ",\"tokens\":4}\n";
  home.write("runs/night-walkers/ledger/rank-000.jsonl", ledger);
  auto wanted = options("runs");
  wanted.data = QString::fromStdString(drawnIndex().string());
  wanted.runRoots = {QString::fromStdString((home / "runs").string())};
  wanted.run = QString::fromStdString((home / "runs/night-walkers").string());
  open(wanted);
  ASSERT_TRUE(waitFor([&] { return window()->dataPage()->index() != nullptr; }));
  auto* tabs = find<QTabBar>("runTabs");
  for (int i = 0; i < tabs->count(); ++i) {
    tabs->setCurrentIndex(i);
    QTest::qWait(900);
    take(QStringLiteral("tab-%1").arg(i), true);
  }
  QTest::mouseClick(find<QPushButton>("showWorst"), Qt::LeftButton);
  QTest::qWait(1200);
  take("data-by-loss", true);
}

INSTANTIATE_TEST_SUITE_P(Both, Screenshots, ::testing::Values(widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark),
                         [](const auto& choice) {
                           return choice.param == widgets::ThemeChoice::Dark ? std::string("Dark")
                                                                             : std::string("Light");
                         });

}  // namespace
}  // namespace roadtune::testing
