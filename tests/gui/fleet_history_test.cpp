// SPDX-License-Identifier: GPL-3.0-or-later
// Who computes on this machine, and what earlier checks had found.
#include "app/studio/preflight_store.h"
#include "core/base/clock.h"
#include "remote/launch/run_control.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/panels/fleet/preflight_changes.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTreeView>

namespace roadtune::testing {
namespace {

using widgets::PreflightCheck;
using widgets::PreflightRecord;
using Verdict = PreflightCheck::Verdict;

PreflightCheck check(const char* key, const char* found, Verdict verdict = Verdict::Good) {
  return {.key = key, .verdict = verdict, .found = found, .advice = {}};
}

TEST(PreflightChanges, WhatVariesByItselfIsNoNews) {
  EXPECT_TRUE(sameFinding(check("disk", "812 GB free at /, writes 1.2 GB/s"),
                          check("disk", "790 GB free at /, writes 380 MB/s")));
  EXPECT_FALSE(sameFinding(check("disk", "812 GB free at /"), check("disk", "90 GB free at /")));
  EXPECT_FALSE(sameFinding(check("disk", "812 GB free at /"), check("disk", "812 GB free at /data")));
  EXPECT_TRUE(sameFinding(check("clock", "+3 ms from here"), check("clock", "-9 ms from here")));
  EXPECT_FALSE(sameFinding(check("driver", "580.65"), check("driver", "580.95"))) << "a number, but a name";
  EXPECT_FALSE(sameFinding(check("clock", "+3 ms"), check("clock", "+3 ms", Verdict::Warning)));
}

TEST(PreflightChanges, AMachineIsComparedWithTheLastTimeItWasThere) {
  widgets::PreflightRecords records{
      {.when = 1, .matrix = {.machines = {{"gpu1", {check("driver", "570")}}, {"gpu2", {check("driver", "570")}}}}},
      {.when = 2, .matrix = {.machines = {{"gpu2", {check("driver", "580")}}}}},
      {.when = 3, .matrix = {.machines = {{"gpu1", {check("driver", "580")}}, {"gpu2", {check("driver", "580")}}}}}};
  EXPECT_TRUE(changesAt(records, 0).empty());
  EXPECT_EQ(changesAt(records, 1).size(), 1u);
  const auto changes = changesAt(records, 2);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes.begin()->first, std::pair(QString("gpu1"), QString("driver")));
  EXPECT_EQ(changes.begin()->second.found, "570");
}

TEST(PreflightStore, KeepsTheLatestAndSaysWhatIsWrongWithItsFile) {
  const TempFolder folder;
  const studio::PreflightStore store(folder / "below/preflight.json");
  EXPECT_TRUE(store.load().value().empty());
  PreflightRecord record{.when = 0, .matrix = {.machines = {{"gpu1", {check("disk", "5 GB", Verdict::Bad)}}}}};
  record.matrix.together = {check("same driver", "580")};
  for (int i = 1; i <= 103; ++i) {
    record.when = i;
    ASSERT_TRUE(store.add(record).ok());
  }
  ASSERT_TRUE(store.remove(50).ok());
  const auto kept = store.load().value();
  ASSERT_EQ(kept.size(), studio::PreflightStore::kMost - 1);
  EXPECT_EQ(kept.front().when, 4);
  EXPECT_EQ(kept.back().matrix.machines[0].host, "gpu1");
  EXPECT_EQ(kept.back().matrix.machines[0].checks[0].verdict, Verdict::Bad);
  EXPECT_EQ(kept.back().matrix.together[0].found, "580");
  folder.write("below/preflight.json", "{\"format\": 1");
  ASSERT_FALSE(store.load().ok());
  EXPECT_NE(store.load().error().text().find("preflight.json"), std::string::npos);
  EXPECT_FALSE(store.add(record).ok()) << "nothing is written over what cannot be read";
}

struct FleetHistory : StudioTest {
  void openFleet(const QString& language = "en") {
    std::filesystem::create_directories(home / "data/roadtune");  // else the next check is of another folder
    studio::Options options;
    options.page = "fleet";
    options.language = language;
    open(options);
    list = find<QTreeView>("preflightHistory");
  }
  QString cell(int row, int column) const { return list->model()->index(row, column).data().toString(); }
  int rows() const { return list->model()->rowCount(); }
  // By mouse, wherever the page has been scrolled to.
  void click(int row) const {
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(row, 1)).center());
  }
  QTreeView* list = nullptr;
};

TEST_F(FleetHistory, TheDiskIsWrittenToOnlyOnceThePageIsOpened) {
  open(studio::Options());
  const auto disk = [this] {
    for (const auto& column : studio->fleet()->columns({widgets::kThisMachine}))
      for (const PreflightCheck& one : column.checks)
        if (one.key == QLatin1String("disk")) return one.found;
    return QString();
  };
  ASSERT_TRUE(waitFor([&] { return !disk().isEmpty(); }));
  EXPECT_FALSE(disk().contains("writes")) << disk().toStdString();
  QTest::keyClick(window(), Qt::Key_4, Qt::ControlModifier);
  EXPECT_TRUE(waitFor([&] { return disk().contains("writes"); })) << disk().toStdString();
}

TEST_F(FleetHistory, ThisMachineIsNamedInTheLanguageOfItsReader) {
  openFleet("de");
  QTest::mouseClick(find<QPushButton>("checkAgain"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return rows() == 1; }));
  EXPECT_EQ(cell(0, 1), "Dieser Rechner");
  const auto* matrix = find<QTreeView>("preflightTable")->model();
  ASSERT_TRUE(waitFor([&] { return matrix->columnCount() == 2; }));
  EXPECT_EQ(matrix->headerData(1, Qt::Horizontal).toString(), "Dieser Rechner");
  studio.reset();
  openFleet();
  ASSERT_TRUE(waitFor([&] { return rows() == 1; }));
  EXPECT_EQ(cell(0, 1), "This machine");
}

TEST_F(FleetHistory, ChecksAreKeptShownAgainAndTakenOut) {
  openFleet();
  EXPECT_TRUE(find<QLabel>("preflightHistoryEmpty")->isVisible());
  EXPECT_FALSE(list->isVisible());
  QTest::mouseClick(find<QPushButton>("checkAgain"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return rows() == 1; }));
  EXPECT_EQ(cell(0, 1), "This machine");
  EXPECT_EQ(cell(0, 3), "") << "there was no time before";
  studio.reset();

  // As it was last week: another C library, and less memory.
  const studio::PreflightStore store;
  auto records = store.load().value();
  ASSERT_EQ(records.size(), 1u);
  PreflightRecord before = records[0];
  before.when = wallSeconds() - 7 * 86400;
  for (PreflightCheck& one : before.matrix.machines[0].checks)
    if (one.key == "system") one.found = "Debian GNU/Linux 11, kernel 5.10";
  ASSERT_TRUE(store.removeAll().ok());
  ASSERT_TRUE(store.add(before).ok());

  openFleet();
  ASSERT_TRUE(waitFor([&] { return rows() == 1; })) << "another studio finds them";
  QTest::mouseClick(find<QPushButton>("checkAgain"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return rows() == 2; }));
  EXPECT_EQ(cell(0, 3), "This machine: System");
  click(0);
  auto* then = find<QTreeView>("preflightThen");
  ASSERT_TRUE(then->isVisible());
  QStringList marked;
  for (int row = 0; row < then->model()->rowCount(); ++row)
    if (const QString text = then->model()->index(row, 1).data().toString(); text.contains("(was: ")) marked << text;
  ASSERT_EQ(marked.size(), 1) << marked.join("\n").toStdString();
  EXPECT_TRUE(marked[0].endsWith("(was: Debian GNU/Linux 11, kernel 5.10)")) << marked[0].toStdString();
  click(1);
  EXPECT_EQ(then->model()->index(0, 1).data(Qt::FontRole), QVariant()) << "the first has nothing before it";
  EXPECT_TRUE(find<QLabel>("preflightThenTitle")->text().startsWith("Check of "));
  QTest::keyClick(list, Qt::Key_Escape);
  EXPECT_FALSE(then->isVisible());

  list->setFocus();
  QTest::keyClick(list, Qt::Key_Delete);
  ASSERT_TRUE(waitFor([&] { return rows() == 1; }));
  EXPECT_EQ(store.load().value().size(), 1u);
  EXPECT_GT(store.load().value()[0].when, before.when) << "the older one is gone";
}

TEST_F(FleetHistory, WhatAStartLooksAtByItselfIsNotKept) {
  openFleet();
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("preflightSummary")->text() != "checking…"; }));
  QTest::qWait(300);
  EXPECT_EQ(rows(), 0);
  EXPECT_TRUE(studio::PreflightStore().load().value().empty());
}

TEST_F(FleetHistory, RunsOfThisMachineStandInItsListByName) {
  home.write("train.jsonl", R"({"image": "a.jpg", "prefix": "q", "suffix": "a"})"
                            "\n");
  home.write("run.yaml",
             "model_name_or_path: " + tinyModel().string() +
                 "\noutput_dir: runs/night-walkers\ntrain_data: train.jsonl\nmax_steps: 100000\ndevice: cpu\n");
  qputenv("ROADTUNE_TRAINER", ROADTUNE_BIN_DIR "/../fakes/fake-rank");
  qputenv("FAKE_RANK", "steps=100000 step_ms=20");
  qputenv("XDG_RUNTIME_DIR", home.path().string().c_str());
  openFleet();
  auto* table = find<QTreeView>("processTable");
  const auto row = [&](const QString& run) {
    for (int i = 0; i < table->model()->rowCount(); ++i)
      if (table->model()->index(i, 0).data().toString() == run) return i;
    return -1;
  };
  EXPECT_EQ(row("night-walkers"), -1);
  const auto started = runProgram({"roadtune", "train", home / "run.yaml", "--detach"}, {.timeoutSeconds = 60});
  ASSERT_EQ(started.exitCode, 0) << started.err;
  ASSERT_TRUE(waitFor([&] { return row("night-walkers") >= 0; }));
  EXPECT_TRUE(table->isVisible());
  const auto cell = [&](int column) { return table->model()->index(row("night-walkers"), column).data().toString(); };
  EXPECT_FALSE(cell(1).isEmpty()) << "its user";
  EXPECT_GT(cell(2).toInt(), 1);
  EXPECT_EQ(cell(3), "") << "on no card";
  EXPECT_TRUE(cell(4).endsWith(" MB")) << cell(4).toStdString();
  EXPECT_TRUE(table->accessibleName().startsWith("Processes on "));
  EXPECT_EQ(runProgram({"roadtune", "stop", home / "runs/night-walkers", "--now"}, {.timeoutSeconds = 60}).exitCode, 0);
  EXPECT_TRUE(waitFor([&] { return row("night-walkers") < 0; }));
  for (const char* name : {"ROADTUNE_TRAINER", "FAKE_RANK"}) qunsetenv(name);
}

}  // namespace
}  // namespace roadtune::testing
