// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/run_document.h"
#include "widgets/common/theme.h"
#include "widgets/forms/field_row.h"
#include "widgets/forms/field_text.h"
#include "widgets/forms/schema_form.h"
#include "widgets/forms/yaml_edit.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace roadtune::studio {
namespace {

constexpr char kText[] =
    "# my run\nmodel_name_or_path: /m\ntrain_data: /d   # all of it\noutput_dir: /o\nlearning_rate: 2.0e-5  # "
    "small\nfinetuning_type: lora\ntarget_modules: [q_proj]\n";

struct Edited : ::testing::Test {
  void SetUp() override { document.load(config::Document(kText, "/tmp/run.yaml"), "run.yaml"); }
  QString text() const { return QString::fromStdString(document.document().text()); }
  RunDocument document;
};

TEST_F(Edited, AFieldEditTouchesItsLineAlone) {
  ASSERT_TRUE(document.set("learning_rate", config::Value(1e-4)).ok());
  EXPECT_TRUE(text().startsWith("# my run\n"));
  EXPECT_TRUE(text().contains("# small"));
  EXPECT_TRUE(text().contains("# all of it"));
  EXPECT_DOUBLE_EQ(document.config().number("learning_rate"), 1e-4);
  EXPECT_TRUE(document.unsaved());
}

TEST_F(Edited, UndoAndRedoRestoreTheVeryText) {
  ASSERT_TRUE(document.set("learning_rate", config::Value(1e-4)).ok());
  const QString after = text();
  document.history().undo();
  EXPECT_EQ(text(), kText);
  EXPECT_FALSE(document.unsaved());
  document.history().redo();
  EXPECT_EQ(text(), after);
}

TEST_F(Edited, TypingIsOneStepOfHistory) {
  document.setText(text() + "s");
  document.setText(text() + "e");
  document.setText(text() + "ed: 7\n");
  EXPECT_EQ(document.config().integer("seed"), 7);
  document.history().undo();
  EXPECT_EQ(text(), kText);
}

TEST_F(Edited, ABrokenTextKeepsTheLastGoodConfiguration) {
  document.setText(text() + "lerning_rate: 3\n");
  EXPECT_FALSE(document.valid());
  ASSERT_FALSE(document.problems().empty());
  EXPECT_EQ(document.problems()[0].line, 8);
  EXPECT_DOUBLE_EQ(document.config().number("learning_rate"), 2e-5);
}

TEST_F(Edited, AnOpenBracketKeepsWhatCouldBeReadLast) {
  ASSERT_TRUE(document.set("learning_rate", config::Value(0.25)).ok());
  ASSERT_DOUBLE_EQ(document.config().number("learning_rate"), 0.25);
  document.setText(text() + "seed: [7\n");
  EXPECT_FALSE(document.valid());
  EXPECT_DOUBLE_EQ(document.config().number("learning_rate"), 0.25);
}

TEST_F(Edited, PaintingAModuleReplacesWhatItCovers) {
  ASSERT_TRUE(document.paint({"model.language_model.layers.0"}, {"full"}).ok());
  ASSERT_TRUE(document.paint({"model.language_model.layers.1"}, {"frozen"}).ok());
  ASSERT_EQ(document.config().moduleOverrides().size(), 2u);
  ASSERT_TRUE(document.paint({"model.language_model"}, {"lora"}).ok());
  const auto rules = document.config().moduleOverrides();
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_EQ(rules[0].pattern, "language_model");
  EXPECT_EQ(rules[0].method, "lora");
}

TEST_F(Edited, PaintingATypeAndPaintingAMethodLeaveEachOtherAlone) {
  const auto typed = [](const char* type) { return widgets::ModulePaint{.method = {}, .type = type}; };
  const auto told = [&] {
    QStringList lines;
    for (const auto& rule : document.config().moduleOverrides())
      lines << QString::fromStdString(rule.pattern + " " + rule.method + " " + rule.dtype).simplified();
    return lines.join(", ").toStdString();
  };
  ASSERT_TRUE(document.paint({"model.language_model.layers.0"}, {"full"}).ok());
  ASSERT_TRUE(document.paint({"model.language_model.layers.0.mlp"}, typed("bfloat16")).ok());
  ASSERT_TRUE(document.paint({"model.language_model"}, typed("float32")).ok());
  EXPECT_EQ(told(), "language_model float32, language_model.layers.0 full") << "a type replaces the types below it";
  ASSERT_TRUE(document.paint({"model.language_model.layers.0"}, typed("auto")).ok());
  EXPECT_EQ(told(), "language_model float32, language_model.layers.0 full auto") << "but not what is above it";
  ASSERT_TRUE(document.paint({"model.language_model.layers.1"}, typed("auto")).ok());
  EXPECT_EQ(told(), "language_model float32, language_model.layers.1 auto, language_model.layers.0 full auto");
  ASSERT_TRUE(document.paint({"model.language_model"}, {"lora"}).ok());
  EXPECT_EQ(told(), "language_model lora float32, language_model.layers.1 auto, language_model.layers.0 auto")
      << "a method replaces the methods below it";
  EXPECT_TRUE(document.valid());
  ASSERT_TRUE(document.paint({"model.language_model"}, typed("auto")).ok());
  EXPECT_EQ(told(), "language_model lora");
  ASSERT_TRUE(document.paint({"model.language_model"}, {""}).ok());
  EXPECT_EQ(told(), "");
}

struct FormOnShow : ::testing::Test {
  void SetUp() override {
    widgets::Theme::instance().apply(widgets::ThemeChoice::Light);
    form.resize(700, 800);
    form.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&form));
  }
  widgets::SchemaForm form;
};

TEST_F(FormOnShow, HasARowForEveryKeyOfTheSchema) {
  for (const config::Field& field : config::schema()) {
    EXPECT_NE(form.fieldRow(QString::fromStdString(field.name)), nullptr) << field.name;
  }
}

TEST_F(FormOnShow, ReportsWhatIsTyped) {
  QSignalSpy edited(&form, &widgets::SchemaForm::edited);
  auto* edit = form.findChild<QLineEdit*>("edit_learning_rate");
  ASSERT_NE(edit, nullptr);
  edit->setFocus();
  edit->selectAll();
  QTest::keyClicks(edit, "1e-4");
  QTest::keyClick(edit, Qt::Key_Return);
  ASSERT_EQ(edited.count(), 1);
  EXPECT_EQ(edited[0][0].toString(), "learning_rate");
  EXPECT_DOUBLE_EQ(edited[0][1].value<config::Value>().number(), 1e-4);
}

TEST_F(FormOnShow, MarksWhatDiffersFromTheDefaultAndGoesBack) {
  const auto resolved = config::resolve(config::Document(kText, "/tmp/run.yaml"));
  ASSERT_TRUE(resolved.config.has_value());
  form.setConfig(*resolved.config);
  auto* reset = form.findChild<QToolButton*>("reset_learning_rate");
  EXPECT_TRUE(reset->isVisible());
  EXPECT_FALSE(form.findChild<QToolButton*>("reset_seed")->isVisible());
  QSignalSpy asked(&form, &widgets::SchemaForm::resetRequested);
  QTest::mouseClick(reset, Qt::LeftButton);
  EXPECT_EQ(asked.count(), 1);
}

TEST_F(FormOnShow, SaysWhatIsWrongBesideTheField) {
  config::Problem problem;
  problem.key = "lr";  // an alias
  problem.message = "must be at most 100";
  problem.hint = "2e-5";
  form.setProblems({problem});
  auto* label = form.findChild<QLabel*>("problem_learning_rate");
  EXPECT_TRUE(label->isVisible());
  EXPECT_EQ(label->text(), "Must be at most 100. Try: 2e-5");
  EXPECT_TRUE(form.fieldRow("learning_rate")->editor()->property("invalid").toBool());
  form.setProblems({});
  EXPECT_FALSE(label->isVisible());
}

TEST_F(FormOnShow, FindsSettingsByForeignNames) {
  form.setSearch("micro_batch");
  EXPECT_TRUE(form.fieldRow("per_device_train_batch_size")->isVisible());
  EXPECT_FALSE(form.fieldRow("learning_rate")->isVisible());
}

TEST(FieldText, ReadsWhatPeopleType) {
  const config::Field& list = *config::findField("classes");
  EXPECT_EQ(widgets::typedValue(list, "vehicle, cyclist"), config::Value::texts({"vehicle", "cyclist"}));
  const config::Field& number = *config::findField("learning_rate");
  EXPECT_DOUBLE_EQ(widgets::typedValue(number, " 2e-5 ").number(), 2e-5);
  EXPECT_TRUE(widgets::typedValue(number, "").isNull());
  EXPECT_TRUE(widgets::typedValue(number, "fast").isText());
}

TEST(YamlEdit, IsSetWithoutReportingAndKeepsItsPlace) {
  widgets::YamlEdit edit;
  QSignalSpy edited(&edit, &widgets::YamlEdit::textEdited);
  edit.setYaml("a: 1\nb: 2\nc: 3\n");
  EXPECT_EQ(edited.count(), 0);
  QTextCursor cursor = edit.textCursor();
  cursor.setPosition(7);
  edit.setTextCursor(cursor);
  edit.setYaml("a: 1\nb: 5\nc: 3\n");
  EXPECT_EQ(edit.textCursor().position(), 7);
  QTest::keyClick(&edit, Qt::Key_9);
  EXPECT_EQ(edited.count(), 1);
}

TEST(UnsetText, SaysWhatHappensWhenNobodySetsAField) {
  const auto text = [](const char* name) { return widgets::unsetText(*config::findField(name)); };
  EXPECT_EQ(text("dataloader_num_workers"), "auto");
  EXPECT_EQ(text("nproc_per_node"), "one per GPU");
  EXPECT_EQ(text("ema_decay"), "off");
  EXPECT_EQ(text("eval_data"), "none");
  EXPECT_EQ(text("model_name_or_path"), "a folder in the Hugging Face layout");
  EXPECT_EQ(text("output_dir"), "required");
}

}  // namespace
}  // namespace roadtune::studio
