// SPDX-License-Identifier: GPL-3.0-or-later
// What matters most stays readable where there is little room: names of classes and modules, figures, losses.
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"
#include "widgets/models/module_tree_model.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/inspector.h"
#include "widgets/panels/data/quality_panel.h"
#include "widgets/panels/runs/live_edit_panel.h"
#include "widgets/panels/runs/run_row_delegate.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QTreeView>

#include <algorithm>
#include <functional>

namespace roadtune::testing {
namespace {

struct NarrowWords : StudioTest {
  void openAt(QSize size, const char* page, const std::string& more = {}) {
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "runs/next").string() + "\n" + more);
    studio::Options options;
    options.data = QString::fromStdString(drawnIndex().string());
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.page = page;
    options.size = size;
    open(options);
  }
};

TEST(QualityWords, LongNamesOfClassesLeaveTheFiguresInSight) {
  auto report = std::make_shared<widgets::QualityReport>();
  report->modelSides = {224, 448, 896};
  const QString name = QStringLiteral("static_object.bicycle_rack_with_wheels");
  const widgets::QualityFigure figure{.label = {}, .reading = QStringLiteral("98.7 %"), .query = QStringLiteral("n>0")};
  report->sizes.append({name, {figure, figure, figure}});
  widgets::QualityPanel panel;
  panel.setReport(report);
  EXPECT_LE(panel.minimumSizeHint().width(), 368) << "the drawer has no more";
  panel.resize(368, 900);
  panel.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
  const widgets::ElidedLabel* label = nullptr;
  for (const auto* one : panel.findChildren<widgets::ElidedLabel*>())
    if (one->text().contains("rack")) label = one;
  ASSERT_NE(label, nullptr);
  EXPECT_TRUE(label->toolTip().contains("with")) << "the whole of it is told";
  EXPECT_GT(label->width(), 90);
}

TEST_F(NarrowWords, ModulesAreNamedBesideWhatIsTrainedOfThem) {
  openAt({1024, 700}, "train");
  auto* tree = find<QTreeView>("moduleTree");
  ASSERT_TRUE(waitFor([&] { return tree->isVisible() && tree->model()->rowCount() > 0; }));
  QTest::qWait(50);
  EXPECT_GE(tree->columnWidth(widgets::ModuleTreeModel::NameColumn), 150);
  EXPECT_EQ(tree->textElideMode(), Qt::ElideMiddle);
  window()->resize(1600, 700);
  QTest::qWait(50);
  const auto* header = tree->header();
  for (const int column : {widgets::ModuleTreeModel::TrainableColumn, widgets::ModuleTreeModel::AllColumn}) {
    EXPECT_FALSE(tree->isColumnHidden(column)) << column;
    EXPECT_GE(header->sectionSize(column), header->sectionSizeHint(column)) << column;
    for (int row = 0; row < tree->model()->rowCount(); ++row) {
      const QString figure = tree->model()->index(row, column).data().toString();
      EXPECT_GE(header->sectionSize(column), widgets::tabularWidth(tree->font(), figure) + 24) << figure.toStdString();
    }
  }
}

TEST(InspectorWords, ClassesAreNamedInTheNarrowestPanel) {
  const auto index = data::Index::open(drawnIndex()).value();
  widgets::Inspector inspector(true);
  inspector.setIndex(index);
  inspector.setImage(0);
  inspector.resize(240, 800);
  inspector.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&inspector));
  auto* table = inspector.findChild<QTreeView*>("boxTable");
  ASSERT_NE(table, nullptr);
  const int name = table->columnWidth(0);
  EXPECT_GE(name, table->fontMetrics().horizontalAdvance("pedestrian") + 12);
  EXPECT_TRUE(table->isColumnHidden(3)) << "how hard a box is gives way";
  inspector.resize(320, 800);
  EXPECT_FALSE(table->isColumnHidden(3));
  EXPECT_EQ(table->textElideMode(), Qt::ElideMiddle);
}

TEST(LiveEditWords, WhatTheRunBeganWithIsReadWhole) {
  widgets::LiveEditPanel panel;
  panel.setConfig("learning_rate: 0.00002000001\nmax_grad_norm:\nsave_steps: 1000000000\n");
  for (const auto* edit : panel.findChildren<QLineEdit*>())
    EXPECT_GE(edit->width() - 16, edit->fontMetrics().horizontalAdvance(edit->placeholderText()))
        << edit->placeholderText().toStdString();
  EXPECT_EQ(panel.findChild<QLineEdit*>("live_max_grad_norm")->placeholderText(), "as it is");
  EXPECT_EQ(panel.findChild<QLineEdit*>("live_save_steps")->placeholderText(), "began with 1000000000");
}

TEST(RunRowWords, EveryShorterLineKeepsTheLoss) {
  widgets::RunListModel model;
  runs::RunEntry under, over;
  under.path = "/runs/under";
  under.state = runs::RunState::Stopped;
  under.step = 60;
  under.totalSteps = 150;
  over = under;
  over.path = "/runs/over";
  over.state = runs::RunState::Finished;
  over.step = 150;
  under.loss = over.loss = 7.4244;
  model.setRuns({under, over});
  const auto lines = [&](const char* path) {
    return model.index(model.rowOf(path)).data(widgets::RunListModel::DetailsRole).toStringList().join('|');
  };
  EXPECT_EQ(lines("/runs/under").toStdString(), "stopped · 60 / 150 · loss 7.424|stopped · loss 7.424|loss 7.424");
  EXPECT_EQ(lines("/runs/over").toStdString(), "finished · loss 7.424 · 150 steps|finished · loss 7.424|loss 7.424");
  EXPECT_TRUE(model.index(0).data(Qt::AccessibleTextRole).toString().contains("loss 7.424")) << "it is all read out";
}

// How much ink of letters a row has in each of its pixel columns, right of its marks.
int lastInk(const QImage& row) {
  for (int x = row.width() - 1; x > 32; --x)
    for (int y = 24; y < 38; ++y)
      if (row.pixelColor(x, y).lightness() < 160) return x;
  return 0;
}

TEST(RunRowWords, ANarrowRowIsNotCutOff) {
  widgets::Theme::instance().apply(widgets::ThemeChoice::Light);
  widgets::RunListModel model;
  runs::RunEntry run;
  run.path = "/runs/a";
  run.state = runs::RunState::Stopped;
  run.step = 60;
  run.totalSteps = 150;
  run.loss = 7.4244;
  model.setRuns({run});
  QListView list;
  list.setModel(&model);
  widgets::RunRowDelegate delegate;
  list.setItemDelegate(&delegate);
  const QStringList lines = model.index(0).data(widgets::RunListModel::DetailsRole).toStringList();
  const auto wide = [](const QString& text) { return widgets::tabularWidth(widgets::secondaryFont(), text); };
  for (const QString& line : lines) {
    const int width = static_cast<int>(wide(line)) + 44;  // room for this one, not for the one before
    QImage picture(width, 44, QImage::Format_RGB32);
    picture.fill(Qt::white);
    QPainter painter(&picture);
    QStyleOptionViewItem option;
    option.initFrom(&list);
    option.rect = picture.rect();
    delegate.paint(&painter, option, model.index(0));
    painter.end();
    EXPECT_NEAR(lastInk(picture), 32 + wide(line), 4) << line.toStdString();
  }
}

TEST_F(NarrowWords, NamesOfModulesHaveRoomHoweverDeepTheyStand) {
  openAt({1280, 800}, "train");
  auto* tree = find<QTreeView>("moduleTree");
  ASSERT_TRUE(waitFor([&] { return tree->isVisible() && tree->model()->rowCount() >= 3; }));
  tree->setIndentation(60);  // as in a model with more floors
  const std::function<void(const QModelIndex&)> unfold = [&](const QModelIndex& index) {
    tree->expand(index);
    for (int row = 0; row < tree->model()->rowCount(index); ++row) unfold(tree->model()->index(row, 0, index));
  };
  unfold(tree->model()->index(1, 0));
  QTest::qWait(50);
  const int wanted = std::min(320, static_cast<const QAbstractItemView*>(tree)->sizeHintForColumn(0));
  const bool alone = tree->isColumnHidden(widgets::ModuleTreeModel::TrainableColumn);
  EXPECT_GT(wanted, 150) << "what stands deep takes more";
  EXPECT_TRUE(alone || tree->columnWidth(0) >= wanted) << tree->columnWidth(0) << " of " << wanted;
}

TEST_F(NarrowWords, ThatAModelIsChosenIsNotAskedForAgain) {
  openAt({1280, 800}, "train", "finetuning_type: lora\ntarget_modules: []\n");
  auto* tree = find<QTreeView>("moduleTree");
  ASSERT_TRUE(waitFor([&] { return !find<QLabel>("moduleNothing")->text().isEmpty(); }));
  ASSERT_FALSE(tree->isVisible());
  QStringList said;
  for (const auto* label : window()->findChildren<QLabel*>()) said << label->text();
  EXPECT_FALSE(said.contains("known once a model is chosen"));
  EXPECT_TRUE(said.contains("known once what is trained fits the model"));
}

TEST(FileDialogHead, LettersHaveTheirHeight) {
  widgets::Theme::instance().apply(widgets::ThemeChoice::Light);
  QFileDialog dialog;
  dialog.setOption(QFileDialog::DontUseNativeDialog);
  dialog.setViewMode(QFileDialog::Detail);
  dialog.resize(800, 500);
  dialog.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
  const auto* view = dialog.findChild<QTreeView*>("treeView");
  ASSERT_NE(view, nullptr);
  const QImage head = view->header()->viewport()->grab().toImage();
  int top = head.height(), bottom = 0;
  for (int y = 0; y < head.height() - 1; ++y)  // the line below is none of it
    for (int x = 0; x < view->header()->sectionSize(0); ++x)
      if (head.pixelColor(x, y).lightness() < 128) top = std::min(top, y), bottom = std::max(bottom, y);
  const QRect ink = view->header()->fontMetrics().tightBoundingRect("Name");
  EXPECT_GE(bottom - top + 1, ink.height() - 1) << top << ' ' << bottom;
  EXPECT_NEAR((top + bottom) / 2.0, head.height() / 2.0, 2);
}

}  // namespace
}  // namespace roadtune::testing
