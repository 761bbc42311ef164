// SPDX-License-Identifier: GPL-3.0-or-later
// From a wish to its end, as a person goes: nothing but keys, the mouse and what can be read. A run on two machines is
// in fleet_test.cpp.
#include "app/studio/run_document.h"
#include "core/data/index/index.h"
#include "core/protocol/checkpoint_marker.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/frame_timeline.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QAction>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>

#include <fstream>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;

QString text(const fs::path& path) { return QString::fromStdString(path.string()); }

struct Journey : StudioTest {
  widgets::DataPage* data() const { return window()->dataPage(); }
  std::size_t shown() const { return data()->grid()->images()->size(); }
  QPoint firstTile() const { return {40, 40}; }
  void ask(const char* query) const {
    QTest::mouseClick(data()->grid()->viewport(), Qt::LeftButton, {}, firstTile());
    QTest::keyClicks(data()->grid(), "/");
    auto* edit = find<QLineEdit>("queryEdit");
    ASSERT_TRUE(edit->hasFocus());
    edit->selectAll();
    QTest::keyClicks(edit, query);
    QTest::keyClick(edit, Qt::Key_Return);
  }
  void tag(const char* word) const {
    window()->activateWindow();  // completions were a window of their own
    ASSERT_TRUE(QTest::qWaitForWindowActive(window()));
    const bool large = data()->sample()->isVisible();
    if (!large) QTest::mouseClick(data()->grid()->viewport(), Qt::LeftButton, {}, firstTile());
    QTest::keyClick(large ? static_cast<QWidget*>(data()->sample()) : data()->grid(), Qt::Key_T);
    auto* edit = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    ASSERT_TRUE(edit && edit->objectName() == "tagEdit");
    QTest::keyClicks(edit, word);
    QTest::keyClick(edit, Qt::Key_Return);
  }
};

TEST_F(Journey, LookFromAFolderToASavedView) {
  open({});
  dropOn(window(), drawnRecordings());
  auto* start = find<QPushButton>("importStart");
  ASSERT_TRUE(waitFor([&] { return start->isEnabled() && start->hasFocus(); }));
  QTest::keyClick(start, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return shown() == 120; }, 60));
  auto* done = find<QPushButton>("importDone");
  ASSERT_TRUE(waitFor([&] { return done->isVisible(); }, 60));
  QTest::mouseClick(done, Qt::LeftButton);

  ask("time=Day and count(pedestrian)>2");
  ASSERT_TRUE(waitFor([&] { return shown() > 0 && shown() < 80; }));
  QTest::mouseDClick(data()->grid()->viewport(), Qt::LeftButton, {}, firstTile());
  ASSERT_TRUE(data()->showsSample());
  QTest::keyClick(data()->sample(), Qt::Key_P);
  ASSERT_TRUE(waitFor([&] { return data()->sample()->timeline()->frame() >= 2; }));
  QTest::keyClick(data()->sample(), Qt::Key_Escape);
  EXPECT_FALSE(data()->showsSample());

  tag("crossing");
  ASSERT_TRUE(waitFor([&] { return window()->findChild<QAbstractButton*>("facet_tag_crossing") != nullptr; }));
  auto* views = find<QToolButton>("savedViews");
  chooseFrom(views, "Save this view");
  answerPrompt(window(), "viewNamePrompt", "many people by day");
  ASSERT_TRUE(waitFor([&] { return views->menu()->actions().front()->text() == "many people by day"; }));
}

TEST_F(Journey, WatchFromASpikeToABranchWithoutItsCulprit) {
  constexpr int kSpike = 57;
  fs::copy(drawnIndex(), home / "idx", fs::copy_options::recursive);
  const auto index = data::Index::open(home / "idx");
  ASSERT_TRUE(index.ok());
  const std::string culprit = index.value()->imageLabel(41);
  LiveRun live({home / "runs/night-walkers", 400, kSpike, false, 1, 0.5});
  home.write(
      "runs/night-walkers/provenance/rank-000.jsonl",
      "{\"step\":1,\"samples\":[]}\n{\"step\":" + std::to_string(kSpike) + ",\"samples\":[\"" + culprit + "\"]}\n");
  live.step(150);
  home.write("runs/night-walkers/checkpoint-200/adapter_model.safetensors", "");
  home.write("runs/night-walkers/checkpoint-200/COMPLETE", protocol::markerText({}));
  std::ofstream(home / "runs/night-walkers/logs/rank-000.log", std::ios::app)
      << "step " << kSpike << "/400  loss nan\nstep " << kSpike << "0/400  loss 1.0\n";
  studio::Options options;
  options.data = text(home / "idx");
  options.runRoots = {text(home / "runs")};
  options.run = text(home / "runs/night-walkers");
  options.page = "runs";
  open(options);
  const auto loss = [this] { return window()->runsPage()->plots()->plot("loss"); };
  ASSERT_TRUE(waitFor([&] { return !loss()->curves().empty() && loss()->curves()[0].x.size() >= 149; }));

  // The lid is closed; the run goes on. The next window has every step.
  studio.reset();
  live.step(98);
  open(options);
  ASSERT_TRUE(waitFor([&] { return !loss()->curves().empty() && loss()->curves()[0].x.size() == 247; }));
  const std::vector<double> steps = loss()->curves()[0].x;
  for (std::size_t i = 1; i < steps.size(); ++i)
    EXPECT_EQ(steps[i] - steps[i - 1], steps[i - 1] == kSpike - 1 ? 2 : 1) << "no gap but the step without a number";
  EXPECT_EQ(loss()->curves()[0].marks, std::vector<double>{kSpike});

  const widgets::Range range = loss()->range();
  QWidget* canvas = loss()->canvas();
  constexpr int kEdge = 4;  // beside the first and the last step
  const int pixel = kEdge + qRound((canvas->width() - 2 * kEdge) * (kSpike - range.low) / (range.high - range.low));
  QTest::mouseClick(canvas, Qt::LeftButton, {}, {pixel, 30});
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("stepTitle")->text() == QStringLiteral("Step %1").arg(kSpike); }))
      << find<QLabel>("stepTitle")->text().toStdString();
  // The batch is there at once: its picture, what it is called, and what the log says.
  auto* pictures = find<widgets::ImageGrid>("stepImages");
  ASSERT_TRUE(waitFor([&] { return pictures->isVisible() && pictures->images()->size() == 1; }));
  EXPECT_EQ(index.value()->imageLabel((*pictures->images())[0]), culprit);
  EXPECT_TRUE(
      find<QPlainTextEdit>("stepLog")->toPlainText().endsWith(QStringLiteral("step %1/400  loss nan").arg(kSpike)))
      << find<QPlainTextEdit>("stepLog")->toPlainText().toStdString();
  QTest::mouseDClick(pictures->viewport(), Qt::LeftButton, {}, firstTile());
  EXPECT_EQ(window()->page(), studio::Page::Data);
  ASSERT_TRUE(waitFor([&] { return data()->sample()->isVisible(); }));
  EXPECT_EQ(index.value()->imageLabel(data()->sample()->image().value_or(0)), culprit);
  EXPECT_TRUE(data()->query().isEmpty()) << "a look changes nothing";
  tag("mislabelled");
  ASSERT_TRUE(waitFor([&] { return window()->findChild<QAbstractButton*>("facet_tag_mislabelled") != nullptr; }));

  QTest::keyClick(window(), Qt::Key_3, Qt::ControlModifier);
  chooseFrom(find<QToolButton>("branchRun"), "checkpoint-200");
  ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Train; }));
  QTest::mouseClick(find<QToolButton>("allSettings"), Qt::LeftButton);
  QTest::keyClick(window(), Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(find<QLineEdit>("settingSearch"), "train_query");
  auto* query = find<QLineEdit>("edit_train_query");
  ASSERT_TRUE(query->isVisible());
  QTest::mouseClick(query, Qt::LeftButton);
  QTest::keyClicks(query, "not tag:mislabelled");
  QTest::keyClick(query, Qt::Key_Return);
  const QString yaml = QString::fromStdString(studio->train()->document().document().text());
  EXPECT_TRUE(yaml.contains("train_query: not tag:mislabelled") ||
              yaml.contains("train_query: \"not tag:mislabelled\""))
      << yaml.toStdString();
  EXPECT_TRUE(yaml.contains("checkpoint-200")) << yaml.toStdString();
}

}  // namespace
}  // namespace roadtune::testing
