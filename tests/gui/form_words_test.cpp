// SPDX-License-Identifier: GPL-3.0-or-later
// The words and numbers of the Train page, as people would say them.
#include "core/config/document.h"
#include "core/config/resolve.h"
#include "core/model/memory_plan.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/theme.h"
#include "widgets/forms/field_row.h"
#include "widgets/forms/field_text.h"
#include "widgets/forms/schema_form.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/memory_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace roadtune::testing {
namespace {

using widgets::editorText;
using widgets::typedValue;

config::RunConfig configOf(const std::string& settings) {
  const config::Document document("model_name_or_path: /m\ntrain_data: /d\noutput_dir: /o\n" + settings,
                                  "/tmp/run.yaml");
  return *config::resolve(document).config;
}

TEST(FormWords, AShareIsShownAndTypedInHundredths) {
  const config::Field& share = *config::findField("eval_fraction");
  EXPECT_EQ(*editorText(share, config::Value(0.3)), "30 %");
  EXPECT_EQ(*editorText(share, config::Value(0.125)), "12.5 %");
  for (const char* typed : {"30 %", "30%", "30", "0.3"})
    EXPECT_DOUBLE_EQ(typedValue(share, typed).number(), 0.3) << typed;
  EXPECT_TRUE(typedValue(share, "a third").isText()) << "the check says it at its place";
  EXPECT_EQ(*editorText(*config::findField("learning_rate"), config::Value(0.3)), "0.3");
}

TEST(FormWords, ANumberMayHaveTheCommaOfTheLanguage) {
  const config::Field &rate = *config::findField("learning_rate"), &steps = *config::findField("max_steps");
  const QLocale before;
  for (const char* language : {"en", "de"}) {
    QLocale::setDefault(QLocale(QLatin1String(language)));
    EXPECT_DOUBLE_EQ(typedValue(rate, "0,001").number(), 0.001) << language;
    EXPECT_DOUBLE_EQ(typedValue(rate, "2,5e-4").number(), 2.5e-4);
    EXPECT_DOUBLE_EQ(typedValue(rate, "0.001").number(), 0.001);
    EXPECT_DOUBLE_EQ(typedValue(*config::findField("eval_fraction"), "12,5 %").number(), 0.125);
    EXPECT_TRUE(typedValue(rate, "1,2,3").isText());
    EXPECT_EQ(typedValue(steps, "12,800").number(), 12800);
    EXPECT_EQ(typedValue(steps, "12.800").number(), 12800);
    EXPECT_TRUE(typedValue(steps, "1,5").isText()) << "and no 15";
  }
  EXPECT_DOUBLE_EQ(typedValue(rate, "1,000").number(), 1);
  QLocale::setDefault(QLocale(QStringLiteral("en")));
  EXPECT_TRUE(typedValue(rate, "1,000").isText()) << "that may be a thousand";
  QLocale::setDefault(before);
}

TEST(FormWords, AFieldHasNoKeyThatCouldBeLeftOut) {
  config::Problem problem;
  problem.key = "learning_rate";
  problem.message = "has no value; expected a number";
  problem.hint = "leave the key out, or give a number";
  EXPECT_TRUE(widgets::problemText(problem).endsWith("Try: leave the key out, or give a number"));
  EXPECT_TRUE(widgets::fieldProblemText(problem).endsWith("Try: leave the field empty, or give a number"));
  problem.hint = "learning_rate: 1e-4";
  EXPECT_TRUE(widgets::fieldProblemText(problem).endsWith("Try: 1e-4"));
}

TEST(FormWords, StepsWithoutALimitAreNoNumberAndStepsDecideOverEpochs) {
  widgets::Theme::instance().apply(widgets::ThemeChoice::Light);
  widgets::SchemaForm form;
  form.resize(700, 800);
  form.show();
  form.setConfig(configOf(""));
  auto* steps = form.findChild<QLineEdit*>("edit_max_steps");
  auto* epochs = form.findChild<QLineEdit*>("edit_num_train_epochs");
  auto* note = form.findChild<QLabel*>("problem_num_train_epochs");
  EXPECT_EQ(steps->text(), "");
  EXPECT_EQ(steps->placeholderText(), "no limit");
  EXPECT_TRUE(epochs->isEnabled());
  form.setConfig(configOf("max_steps: 200\n"));
  form.setProblems({});
  EXPECT_EQ(steps->text(), "200");
  EXPECT_FALSE(epochs->isEnabled());
  EXPECT_TRUE(note->isVisible());
  EXPECT_EQ(note->text(), "Decided by “Steps at most”");
  form.setConfig(configOf(""));
  EXPECT_TRUE(epochs->isEnabled());
  EXPECT_FALSE(note->isVisible());
}

TEST(FormWords, ChoicesHaveNamesAndWriteTheirValues) {
  for (const config::Field& field : config::schema()) {
    for (const std::string& choice : field.choices)
      EXPECT_FALSE(widgets::choiceTitle(field, choice).contains('_') && choice != "big-vision") << field.name << choice;
  }
  widgets::SchemaForm form;
  form.setConfig(configOf("box_order: area\n"));
  auto* order = form.findChild<QComboBox*>("edit_box_order");
  EXPECT_EQ(order->currentText(), "Largest first");
  QString written;
  QObject::connect(&form, &widgets::SchemaForm::edited, &form, [&](const QString& name, const config::Value& value) {
    written = name + '=' + QString::fromStdString(value.text());
  });
  order->setFocus();
  QTest::keyClick(order, Qt::Key_Up);
  EXPECT_EQ(written, "box_order=top_left");
  for (const char* search : {"top_left", "From the top left"})
    EXPECT_TRUE(form.findChild<widgets::FieldRow*>("field_box_order")->matches(search)) << search;
}

// The bar alone, where none of its parts is named yet.
int inkOf(widgets::MemoryBar& bar) {
  const QImage picture = bar.grab().toImage();
  const QColor empty = widgets::mixed(widgets::Theme::tokens().surface, widgets::Theme::tokens().line, 0.7);
  int ink = 0;
  for (int x = 0; x < picture.width(); ++x) {
    const QColor at = picture.pixelColor(x, 7);
    ink += std::abs(at.red() - empty.red()) + std::abs(at.blue() - empty.blue()) > 24;
  }
  return ink;
}

TEST(FormWords, AHundredthOfTheMemoryLooksLikeIt) {
  widgets::Theme::instance().apply(widgets::ThemeChoice::Light);
  widgets::MemoryBar bar;
  bar.resize(300, 100);
  model::MemoryPlan plan;
  plan.items = {{.key = "weights", .label = "weights", .bytes = 20'000'000, .formula = {}},
                {.key = "optimizer", .label = "optimizer", .bytes = 1000, .formula = {}}};
  bar.setPlan(plan, 10'000'000'000);
  EXPECT_GE(inkOf(bar), 2) << "it can be seen";
  EXPECT_LE(inkOf(bar), 4) << "and is no more than a sliver of what there is";
  plan.items.resize(9, plan.items[1]);
  bar.setPlan(plan, 10'000'000'000);
  EXPECT_LE(inkOf(bar), 4) << "in however many parts";
  plan.items[0].bytes = 5'000'000'000;
  bar.setPlan(plan, 10'000'000'000);
  EXPECT_NEAR(inkOf(bar), 142, 4) << "half of it, with a gap behind each part";
}

TEST_F(StudioTest, WhatARunCannotDoWithoutIsSaidAsWhatToDo) {
  home.write("run.yaml", "model_name_or_path:\ntrain_data:\noutput_dir: " + (home / "runs/one").string() + "\n");
  studio::Options options;
  options.config = QString::fromStdString((home / "run.yaml").string());
  options.page = "train";
  open(options);
  QTest::keyClick(window(), Qt::Key_F5);
  EXPECT_TRUE(waitFor([&] { return find<QLabel>("problem_train_data")->isVisible(); }));
  EXPECT_EQ(find<QLabel>("problem_model_name_or_path")->text(), "Choose a model folder");
  EXPECT_EQ(find<QLabel>("problem_train_data")->text(), "Choose training data");
  EXPECT_EQ(find<QLabel>("startBlocked")->text(), "Still to choose: Model, Training data");
}

TEST_F(StudioTest, PresetsHaveShortNamesAndTellTheRestInTheirTips) {
  open({});
  for (const QAction* one : find<QToolButton>("presets")->menu()->actions()) {
    EXPECT_LE(one->text().size(), 40) << one->text().toStdString();
    const bool preset = one->objectName().startsWith("preset_");
    EXPECT_FALSE(preset && one->text().contains(QChar(0x2026))) << "cut: " << one->text().toStdString();
    EXPECT_TRUE(!preset || one->toolTip().size() > one->text().size()) << one->toolTip().toStdString();
  }
}

TEST_F(StudioTest, TheWaysToStartStandInOneRowInASmallWindow) {
  for (const char* language : {"en", "de"}) {
    studio::Options options;
    options.page = "train";
    options.language = language;
    options.size = QSize(1024, 640);
    open(options);
    const int row = find<QPushButton>("dryRun")->y();
    for (const char* name : {"queueRun", "varyRun"}) {
      EXPECT_EQ(find<QPushButton>(name)->y(), row) << language << ' ' << name;
      const auto* button = find<QPushButton>(name);
      EXPECT_GE(button->width(), button->fontMetrics().horizontalAdvance(button->text())) << language << ' ' << name;
    }
    studio.reset();
  }
}

}  // namespace
}  // namespace roadtune::testing
