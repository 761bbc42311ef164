// SPDX-License-Identifier: GPL-3.0-or-later
// From a preset to a proved stop on two machines, in two sittings: the studio of the first is a process of its own,
// which is killed while the run goes on; the second finds every point of its curves again.
#include "core/base/subprocess.h"
#include "tests/gui/fleet_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/program.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/train/train_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QTreeView>

#include <csignal>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSitting = "ROADTUNE_TEST_FIRST_SITTING";  // the folder of the journey

bool isFirstSitting() { return qEnvironmentVariableIsSet(kSitting); }

struct LaunchJourney : FleetTest {
  // The first sitting uses the machines, settings and folders of the process that started it.
  static void SetUpTestSuite() {
    if (!isFirstSitting()) FleetTest::SetUpTestSuite();
  }
  void SetUp() override {
    if (isFirstSitting()) return;
    FleetTest::SetUp();
    if (!network || IsSkipped()) return;
    // One thing to know about, and nothing else: little shared memory on the second machine.
    network->mountThere(0, "/dev/shm", "size=4g");
    network->mountThere(1, "/dev/shm", "size=32m");
  }

  widgets::CurvePlot* loss() const { return window()->runsPage()->plots()->plot("loss"); }
  std::map<double, double> lossPoints() const {
    std::map<double, double> points;
    if (loss()->curves().empty()) return points;
    const auto& curve = loss()->curves()[0];
    for (std::size_t i = 0; i < curve.x.size(); ++i) points[curve.x[i]] = curve.y[i];
    return points;
  }
  void choosePreset(const QString& words) const { chooseFrom(find<QToolButton>("presets"), words); }
  void type(const char* setting, const char* value) const {
    auto* edit = find<QLineEdit>((std::string("edit_") + setting).c_str());
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, value);
    QTest::keyClick(edit, Qt::Key_Return);
  }
  void paintLayer() const {
    auto* tree = find<QTreeView>("moduleTree");
    ASSERT_TRUE(waitFor([&] { return tree->model()->rowCount() >= 3; }));
    QTest::mouseClick(find<QLineEdit>("paintPattern"), Qt::LeftButton);
    QTest::keyClicks(find<QLineEdit>("paintPattern"), "language_model\\.layers\\.1$");
    ASSERT_TRUE(waitFor([&] { return find<QLabel>("paintCount")->text().endsWith(": language model"); }))
        << find<QLabel>("paintCount")->text().toStdString() << " for "
        << find<QLineEdit>("paintPattern")->text().toStdString();
    QTest::mouseClick(find<QPushButton>("paint_full"), Qt::LeftButton);
    find<QLineEdit>("paintPattern")->clear();
  }
  void chooseMachines() const {
    auto* where = find<QComboBox>("whereChoice");
    where->setFocus();
    QTest::keyClick(where, Qt::Key_Down);
    tickBoth();
    ASSERT_TRUE(waitFor([&] { return find<QLabel>("effectiveBatch")->text().contains("2 machines"); }));
  }

  void sitFirst(const fs::path& folder) {
    open({.config = QString::fromStdString((folder / "run.yaml").string()), .page = "fleet"});
    addBoth();
    ASSERT_TRUE(
        waitFor([&] { return studio->fleet()->means("host1").known && studio->fleet()->means("host2").known; }));
    QTest::keyClick(window(), Qt::Key_2, Qt::ControlModifier);

    choosePreset("LoRA of rank 8");
    auto* count = find<QLabel>("trainableCount");
    ASSERT_TRUE(waitFor([&] { return count->text().size() > 1; }));
    const QString adapters = count->text(), memory = find<QLabel>("memoryVerdict")->text();
    paintLayer();
    ASSERT_TRUE(waitFor([&] { return count->text() != adapters && find<QLabel>("memoryVerdict")->text() != memory; }))
        << "a painted block changes what is trained and what it costs";
    QTest::mouseClick(find<QToolButton>("allSettings"), Qt::LeftButton);
    type("per_device_train_batch_size", "2");
    type("gradient_accumulation_steps", "1");
    type("max_steps", "5000");
    type("logging_steps", "1");
    type("nproc_per_node", "1");
    chooseMachines();
    ASSERT_TRUE(waitFor([&] { return find<QLabel>("effectiveBatch")->text() == "2 × 2 machines = 4 samples a step"; }))
        << find<QLabel>("effectiveBatch")->text().toStdString();

    // What the preflight doubts about stands beside Start, with what to do about it.
    auto* fitness = find<QLabel>("whereFitness");
    QTest::mouseClick(find<QToolButton>("whereCheck"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return fitness->text().startsWith("host"); }, 60)) << fitness->text().toStdString();
    EXPECT_EQ(fitness->text(), "host2, shared memory: in a container: --shm-size=1g; NCCL needs it")
        << fitness->toolTip().toStdString();
    EXPECT_FALSE(fitness->toolTip().contains('\n')) << "and it is the only one: " << fitness->toolTip().toStdString();

    auto* start = find<QPushButton>("startRun");
    ASSERT_TRUE(waitFor([&] { return start->isEnabled(); })) << find<QLabel>("startBlocked")->text().toStdString();
    QTest::keyClick(window(), Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Runs; }, 90))
        << window()->trainPage()->notice()->text().toStdString() << start->isEnabled()
        << find<QLabel>("startBlocked")->text().toStdString();
    ASSERT_TRUE(waitFor([&] { return lossPoints().size() >= 5; }, 90))
        << find<QPlainTextEdit>("logText")->toPlainText().toStdString();
    {
      std::ofstream seen(folder / "seen.part");
      seen.precision(17);
      for (const auto& [step, value] : lossPoints()) seen << step << ' ' << value << '\n';
    }
    fs::rename(folder / "seen.part", folder / "seen");
    QTest::qWait(200'000);  // until it is killed
  }
};

// Killed without a word: no handler runs, nothing is saved.
class FirstSitting {
 public:
  explicit FirstSitting(const fs::path& folder) : m_log(folder / "first-sitting.log") {
    fs::create_directories(folder / "tmp");
    m_pid = ::fork();
    if (m_pid != 0) return;
    ::setenv(kSitting, folder.c_str(), 1);
    ::setenv("TMPDIR", (folder / "tmp").c_str(), 1);
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    if (std::freopen(m_log.c_str(), "w", stdout) && ::dup2(STDOUT_FILENO, STDERR_FILENO) >= 0)
      ::execl(self.c_str(), self.c_str(), "--gtest_filter=LaunchJourney.*", nullptr);
    ::_exit(127);
  }
  ~FirstSitting() { kill(); }
  FirstSitting(const FirstSitting&) = delete;
  FirstSitting& operator=(const FirstSitting&) = delete;

  bool alive() { return m_pid > 0 && ::waitpid(m_pid, nullptr, WNOHANG) == 0; }
  void kill() {
    if (m_pid <= 0) return;
    ::kill(m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
    m_pid = 0;
  }
  std::string log() const { return readAll(m_log); }

 private:
  fs::path m_log;
  pid_t m_pid = 0;
};

TEST_F(LaunchJourney, FromAPresetOverAKilledStudioToAProvedStop) {
  if (isFirstSitting()) return sitFirst(qEnvironmentVariable(kSitting).toStdString());
  if (!fs::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
  const fs::path run = home / "runs/night-walkers";
  home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                             "\neval_data: " + drawnIndex().string() + "\noutput_dir: " + run.string() + "\n");
  FirstSitting first(home.path());
  ASSERT_TRUE(waitFor([&] { return fs::exists(home / "seen") || !first.alive(); }, 200));
  ASSERT_TRUE(fs::exists(home / "seen")) << first.log();
  first.kill();

  open({});
  EXPECT_EQ(window()->page(), studio::Page::Runs) << "it opens where the other one was";
  EXPECT_EQ(window()->runsPage()->selectedRun(), QString::fromStdString(run.string()));
  std::ifstream seen(home / "seen");
  std::size_t points = 0;
  ASSERT_TRUE(waitFor([&] { return lossPoints().size() > 5; }, 60));
  const auto now = lossPoints();
  for (double step = 0, value = 0; seen >> step >> value; ++points) {
    ASSERT_TRUE(now.contains(step)) << "step " << step << " was on the curve";
    EXPECT_DOUBLE_EQ(now.at(step), value) << "at step " << step;
  }
  EXPECT_GE(points, 5u);
  const double last = now.rbegin()->first;
  ASSERT_TRUE(waitFor([&] { return lossPoints().rbegin()->first > last; }, 60)) << "and the run went on all the time";

  chooseFrom(find<QToolButton>("stopRun"), "Stop now, without saving");
  widgets::NoticeBar* notice = window()->runsPage()->notice();
  const QString over = "The run is over on every machine.\n✓ host1: no process is left\n✓ host2: no process is left";
  ASSERT_TRUE(waitFor([&] { return notice->text() == over; }, 90)) << notice->text().toStdString();
  const auto* phase = find<widgets::ElidedLabel>("runPhase");
  EXPECT_TRUE(waitFor([&] { return phase->text().startsWith("stopped"); })) << phase->text().toStdString();
}

}  // namespace
}  // namespace roadtune::testing
