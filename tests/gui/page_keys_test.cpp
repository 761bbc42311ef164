// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the whole window: `/`, `?`, `[` and `]` work from everywhere but fields that one types into.
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/frame/overlay.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/runs/run_detail.h"
#include "widgets/panels/runs/runs_page.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTreeView>

namespace roadtune::testing {
namespace {

struct PageKeys : StudioTest {
  void openRuns() {
    drawRun({home / "runs/baseline", 30, 0, true, 0, 0.5});
    studio::Options options;
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.run = QString::fromStdString((home / "runs/baseline").string());
    options.page = "runs";
    open(options);
    ASSERT_TRUE(waitFor([&] { return model()->rowCount() == 1; }));
  }
  widgets::RunListModel* model() const { return window()->runsPage()->model(); }
};

TEST_F(PageKeys, AListWithTheFocusLeavesThemToTheWindow) {
  openRuns();
  auto* list = find<QListView>("runList");
  auto* filter = find<QLineEdit>("runFilter");
  list->setFocus();
  QTest::keyClick(list, '/');
  ASSERT_TRUE(filter->hasFocus());
  QTest::keyClicks(QApplication::focusWidget(), "p[/?");
  EXPECT_EQ(filter->text(), "p[/?") << "a field keeps its characters";
  EXPECT_FALSE(model()->index(0).data(widgets::RunListModel::PinnedRole).toBool()) << "nothing is pinned instead";
  EXPECT_TRUE(find<QLabel>("noRunMatches")->isVisible());
  QTest::keyClick(filter, Qt::Key_Escape);
  EXPECT_EQ(filter->text(), "");
  EXPECT_TRUE(list->isVisible());
  QTest::keyClick(filter, Qt::Key_Escape);
  EXPECT_TRUE(list->hasFocus());

  const auto* detail = window()->runsPage()->detail();
  ASSERT_TRUE(detail->isVisible());
  list->setFocus();
  QTest::keyClick(list, ']');
  EXPECT_FALSE(detail->isVisible());
  QTest::keyClick(list, ']');
  EXPECT_TRUE(detail->isVisible());
  list->setFocus();
  QTest::keyClick(list, '?');
  EXPECT_TRUE(find<widgets::Overlay>("keySheet")->isVisible());
}

TEST_F(PageKeys, SoDoATreeAndAChoice) {
  home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\noutput_dir: out\n");
  studio::Options options;
  options.config = QString::fromStdString((home / "run.yaml").string());
  options.page = "train";
  open(options);
  ASSERT_TRUE(waitFor([&] { return find<QTreeView>("moduleTree")->model()->rowCount() >= 3; }));
  auto* search = find<QLineEdit>("settingSearch");
  for (QWidget* part : {static_cast<QWidget*>(find<QTreeView>("moduleTree")),
                        static_cast<QWidget*>(find<QComboBox>("edit_finetuning_type"))}) {
    part->setFocus();
    ASSERT_TRUE(part->hasFocus()) << part->objectName().toStdString();
    QTest::keyClick(part, '/');
    EXPECT_TRUE(search->hasFocus()) << part->objectName().toStdString();
  }
}

TEST_F(PageKeys, WithoutDataThereIsNoQueryToTypeInto) {
  studio::Options options;
  options.page = "data";
  open(options);
  QTest::keyClick(window(), '/');
  EXPECT_FALSE(window()->dataPage()->queryLine()->edit()->hasFocus());
  QTest::keyClicks(window(), "night");
  EXPECT_EQ(window()->dataPage()->query(), "");
}

}  // namespace
}  // namespace roadtune::testing
