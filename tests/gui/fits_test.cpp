// SPDX-License-Identifier: GPL-3.0-or-later
// Words have the room they need: no button and no label of a page is narrower than what stands on it, in any language.
#include "core/data/index/index.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/fleet/process_list.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

namespace roadtune::testing {
namespace {

constexpr int kMargins = 12, kIcon = 18;  // left and right of the words of a button together; what stands before them

struct FitsTest : StudioTest, ::testing::WithParamInterface<const char*> {
  // What is cut off, as "object 'words' has N of M".
  QStringList cutOff() const {
    QStringList all;
    const auto judge = [&](const QWidget* widget, const QString& words, int needed) {
      if (widget->isVisible() && !words.isEmpty() && widget->width() < needed)
        all << QStringLiteral("%1 '%2' has %3 of %4").arg(widget->objectName(), words).arg(widget->width()).arg(needed);
    };
    const auto wordsOf = [](const QAbstractButton* button) {
      return button->fontMetrics().horizontalAdvance(button->text());
    };
    for (const auto* button : window()->findChildren<QPushButton*>())
      judge(button, button->text(), wordsOf(button) + kMargins + (button->icon().isNull() ? 0 : kIcon));
    for (const auto* button : window()->findChildren<QToolButton*>()) {
      const bool beside = button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
      if (beside || button->toolButtonStyle() == Qt::ToolButtonTextOnly)
        judge(button, button->text(), wordsOf(button) + kMargins / 2 + (beside ? kIcon : 0));
    }
    for (const auto* label : window()->findChildren<QLabel*>())
      if (!label->wordWrap()) judge(label, label->text(), label->sizeHint().width());
    for (const auto* header : window()->findChildren<QHeaderView*>())
      for (int i = 0; header->isVisible() && header->orientation() == Qt::Horizontal && i < header->count(); ++i) {
        const QString words = header->model()->headerData(i, Qt::Horizontal).toString();
        const int needed = header->fontMetrics().horizontalAdvance(words) + 2 * kMargins;  // as the style paints it
        if (header->sectionSize(i) < needed)
          all << QStringLiteral("%1: '%2' has %3 of %4")
                     .arg(header->parent()->objectName(), words)
                     .arg(header->sectionSize(i))
                     .arg(needed);
      }
    return all;
  }
  void expectRoom(const char* where) const {
    QTest::qWait(100);  // layouts come with the next events
    const QStringList all = cutOff();
    EXPECT_TRUE(all.isEmpty()) << where << ":\n" << all.join('\n').toStdString();
  }
};

TEST_P(FitsTest, EveryPageHasRoomForItsWords) {
  drawRun({home / "runs/night-walkers", 60, 0, false, 4, 0.5});
  home.write("runs/night-walkers/ledger/rank-000.jsonl", R"({"step":7,"epoch":0.5,"sample":"a","loss":2.5,"tokens":4})"
                                                         "\n");
  home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                             "\noutput_dir: " + (home / "runs/one").string() +
                             "\nfinetuning_type: full\nper_device_train_batch_size: 8\n");
  studio::Options options;
  options.language = QLatin1String(GetParam());
  options.size = QSize(1280, 800);
  options.data = QString::fromStdString(drawnIndex().string());
  options.config = QString::fromStdString((home / "run.yaml").string());
  options.run = QString::fromStdString((home / "runs/night-walkers").string());
  open(options);
  auto* page = window()->dataPage();
  window()->setPage(studio::Page::Data);
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 120; }));
  expectRoom("data");
  page->openSample();
  QTest::qWait(100);
  expectRoom("sample");
  page->closeSample();
  for (const char* panel : {"dataQuality", "dataExport"}) {
    QTest::mouseClick(find<QToolButton>(panel), Qt::LeftButton);
    QTest::qWait(300);
    expectRoom(panel);
  }
  window()->setPage(studio::Page::Train);
  ASSERT_TRUE(waitFor([&] { return find<QTreeView>("moduleTree")->model()->rowCount() >= 3; }));
  QTest::qWait(300);
  expectRoom("train");
  QTest::mouseClick(find<QToolButton>("allSettings"), Qt::LeftButton);
  expectRoom("every setting");
  window()->setPage(studio::Page::Runs);
  auto* tabs = find<QTabBar>("runTabs");
  for (int i = 0; i < tabs->count(); ++i) {
    tabs->setCurrentIndex(i);
    QTest::qWait(200);
    expectRoom("runs");
  }
  window()->setPage(studio::Page::Fleet);
  QTest::qWait(500);
  expectRoom("fleet");
  window()->findChild<widgets::ProcessList*>()->setProcesses(
      {{.pid = 4711, .user = "root", .program = "python3", .gpus = {0}, .gpuMemory = 40'000'000'000}}, "host1", true);
  expectRoom("what computes there");
}

INSTANTIATE_TEST_SUITE_P(Languages, FitsTest, ::testing::Values("en", "de"),
                         [](const auto& language) { return std::string(language.param); });

}  // namespace
}  // namespace roadtune::testing
