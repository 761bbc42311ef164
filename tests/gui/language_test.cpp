// SPDX-License-Identifier: GPL-3.0-or-later
// The window in another language, and translations that keep up with the sources.
#include "app/studio/language.h"

#include "app/studio/strip_progress.h"
#include "core/config/reference.h"
#include "core/config/schema.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/number_text.h"
#include "widgets/common/told_words.h"
#include "widgets/forms/field_text.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/fleet/machine_tile.h"
#include "widgets/panels/runs/run_menu.h"
#include "widgets/panels/runs/runs_page.h"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QToolButton>
#include <QTreeView>
#include <QXmlStreamReader>

namespace roadtune::testing {
namespace {

QString text(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

struct LanguageTest : StudioTest {
  void openIn(const QString& language, studio::Options options = {}) {
    options.language = language;
    open(options);
  }
  QString action(const char* name) const { return find<QAction>(name)->text(); }
};

TEST_F(LanguageTest, PagesSpeakGerman) {
  openIn("de");
  EXPECT_EQ(action("page_data"), "Daten");
  EXPECT_EQ(action("page_runs"), "Läufe");
  EXPECT_EQ(action("page_fleet"), "Flotte");
  EXPECT_EQ(find<QPushButton>("emptyImport")->text(), "Ordner importieren");
  EXPECT_EQ(find<QPushButton>("startRun")->text(), "Lauf starten");
  EXPECT_EQ(find<QLineEdit>("runFilter")->placeholderText(), "Läufe filtern");
  EXPECT_EQ(find<QLineEdit>("edit_learning_rate")->accessibleName(), "Lernrate");
}

// One word for one thing, and the dots as everywhere.
TEST(GermanWords, AreTheSameEverywhere) {
  QFile file(QStringLiteral(ROADTUNE_SOURCE_DIR "/resources/translations/roadtune_de.ts"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QString all = QString::fromUtf8(file.readAll());
  for (const char* word : {"Maschine", "Höchstens Schritte", "Eingabe zeigt", "Strg+Auf", "Alt+Auf",
                           "Speicher von diesem", " …</translation>", "Groß und klein geschrieben"})
    EXPECT_FALSE(all.contains(QString::fromUtf8(word))) << word;
}

TEST_F(LanguageTest, TheSettingsOfARunExplainThemselvesInGerman) {
  openIn("de");
  auto* rate = find<QLineEdit>("edit_learning_rate");
  EXPECT_EQ(rate->accessibleDescription(), "Höchste Lernrate.");
  EXPECT_TRUE(rate->toolTip().startsWith("Höchste Lernrate.")) << rate->toolTip().toStdString();
  auto* search = find<QLineEdit>("settingSearch");
  search->setText("Lernrate");
  EXPECT_FALSE(find<QWidget>("field_optim")->isVisibleTo(window()));
  bool preset = false;
  for (const QAction* one : find<QToolButton>("presets")->menu()->actions())
    preset |= one->text() == "LoRA mit Rang 8" && one->toolTip().contains("Adapter vom Rang 8");
  EXPECT_TRUE(preset);
}

TEST_F(LanguageTest, EverySettingIsCalledSomethingInGerman) {
  openIn("de");
  const QSet<QString> same{"task", "lora_alpha", "lora_dropout", "weight_decay", "bf16", "adam_epsilon"};  // in both
  for (const config::Field& field : config::schema()) {
    if (same.contains(QString::fromStdString(field.name))) continue;
    QString english = QString::fromStdString(field.name).replace('_', ' ');
    english[0] = english[0].toUpper();
    EXPECT_NE(widgets::fieldTitle(field), english) << field.name;
  }
}

TEST_F(LanguageTest, NumbersHaveTheMarksOfTheLanguage) {
  openIn("de");
  EXPECT_EQ(widgets::numberText("1,234,567 of 5.8 GB"), "1.234.567 of 5,8 GB");
  EXPECT_EQ(widgets::numberText("2.5e-05, 3."), "2,5e-05, 3.") << "marks of a sentence stay";
  EXPECT_EQ(widgets::fixedText(0.5, 2), "0,50");
  studio.reset();
  openIn("en");
  EXPECT_EQ(widgets::numberText("1,234,567 of 5.8 GB"), "1,234,567 of 5.8 GB");
  EXPECT_EQ(widgets::fixedText(0.5, 2), "0.50");
}

TEST_F(LanguageTest, WorkInTheStatusBarSpeaksGermanAndWordsNobodyKnowsStay) {
  openIn("de");
  EXPECT_EQ(studio::progressText("links", 1200, 2400, "pairs"), "Verbindungen: 1.200 von 2.400 Paaren");
  EXPECT_EQ(studio::progressText("copying", 5'800'000'000, 11'600'000'000, "bytes"), "Kopieren: 5,8 GB von 11,6 GB");
  EXPECT_EQ(studio::progressText("connecting", 0, 0, "machines"), "Verbinden");
  EXPECT_EQ(studio::progressText("whittling", 1, 2, "spoons"), "whittling: 1 von 2 spoons");
}

TEST_F(LanguageTest, MenusAndThePaletteSpeakGerman) {
  openIn("de");
  QMenu menu;
  widgets::addMarkActions(menu, *window()->runsPage()->model(), "/runs/one", [] {});
  QStringList words;
  for (const QAction* one : menu.actions()) words << one->text();
  EXPECT_TRUE(words.contains("Oben anheften")) << words.join('|').toStdString();
  QTest::keyClick(window(), Qt::Key_K, Qt::ControlModifier);
  auto* edit = find<QLineEdit>("paletteEdit");
  QTest::keyClicks(edit, "flotte");
  QTest::keyClick(edit, Qt::Key_Return);
  EXPECT_EQ(window()->page(), studio::Page::Fleet);
}

TEST_F(LanguageTest, OneAndManyAreTold) {
  drawRun({home / "runs/done", 60, 0, true, 0, 0.5});
  LiveRun first({home / "runs/a", 400, 0, false, 0, 0.5}), second({home / "runs/b", 400, 0, false, 0, 0.5});
  first.step(248);
  second.step(248);
  studio::Options options;
  options.runRoots = {text(home / "runs")};
  options.data = text(drawnIndex());
  openIn("de", options);
  const auto* chip = find<QPushButton>("liveRunsChip");
  ASSERT_TRUE(waitFor([&] { return chip->text().contains("2 im Gang"); })) << chip->text().toStdString();
  auto* page = window()->dataPage();
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 120; }));
  EXPECT_EQ(find<QLabel>("queryCount")->text(), "120 Bilder");
}

TEST_F(LanguageTest, WhatHappenedToARunIsToldInGerman) {
  drawRun({home / "runs/done", 60, 0, true, 0, 0.5});
  studio::Options options;
  options.run = text(home / "runs/done");
  openIn("de", options);
  const auto* events = find<QTreeView>("eventTable")->model();
  ASSERT_TRUE(waitFor([&] { return events->rowCount() >= 4; }));
  QStringList words;
  for (int row = 0; row < events->rowCount(); ++row) words << events->index(row, 2).data().toString();
  for (const char* german : {"trainiert", "fertig"})
    EXPECT_TRUE(words.contains(german)) << words.join('|').toStdString();
  for (const char* english : {"loading", "preparing", "training", "saving", "finished"})
    EXPECT_FALSE(words.contains(english)) << words.join('|').toStdString();
}

TEST_F(LanguageTest, WhatWentWrongIsToldInGerman) {
  openIn("de");
  const QString banner = widgets::verdictWords(
      "step 5: loss nan and gradient norm inf are not finite: the step was not applied (try: lower learning_rate, or "
      "look at the samples of this step)");
  for (const char* english : {"step", "are not", "try", "lower"})
    EXPECT_FALSE(banner.contains(QLatin1String(english))) << banner.toStdString();
  EXPECT_EQ(widgets::checkWords("connection refused"), widgets::errorWords("connection refused"));
  EXPECT_NE(widgets::checkWords("connection refused"), "connection refused");
}

TEST_F(LanguageTest, AMachineThatCannotBeReachedSaysWhyInGerman) {
  openIn("de");
  widgets::MachineTile tile;
  tile.setMachine({.name = "gpu2",
                   .group = {},
                   .state = widgets::MachineState::Unreachable,
                   .message = "connection refused",
                   .reading = {}});
  EXPECT_EQ(tile.findChild<QLabel*>("machineMessage")->text(), widgets::errorWords("connection refused"));
}

TEST_F(LanguageTest, NoLineOfTheKeySheetIsCut) {
  openIn("de");
  QTest::keyClick(window(), Qt::Key_F1);
  auto* sheet = find<QWidget>("keySheet");
  ASSERT_TRUE(sheet->isVisible());
  QTest::qWait(20);
  for (const auto* line : sheet->findChildren<widgets::ElidedLabel*>())
    EXPECT_GE(line->width(), line->fontMetrics().horizontalAdvance(line->text())) << line->text().toStdString();
}

TEST_F(LanguageTest, QtsOwnButtonsSpeakGermanToo) {
  if (!QFile::exists(":/translations/qtbase_de.qm"))
    GTEST_SKIP() << "built without Qt's own words: package qt6-translations-l10n";
  openIn("de");
  QDialogButtonBox box(QDialogButtonBox::Cancel);
  EXPECT_EQ(box.button(QDialogButtonBox::Cancel)->text().remove('&'), "Abbrechen");
}

TEST_F(LanguageTest, AChosenLanguageIsSpokenFromTheNextStartOn) {
  openIn("en");
  QTest::keyClick(window(), Qt::Key_Comma, Qt::ControlModifier);
  auto* choice = find<QComboBox>("languageChoice");
  ASSERT_TRUE(choice->isVisible());
  EXPECT_FALSE(find<QLabel>("languageLater")->isVisible());
  choice->setFocus();
  QTest::keyClick(choice, Qt::Key_End);
  EXPECT_EQ(choice->currentText(), "Deutsch");
  EXPECT_TRUE(find<QLabel>("languageLater")->isVisible());
  EXPECT_EQ(action("page_data"), "Data");
  studio.reset();
  open({});
  EXPECT_EQ(action("page_data"), "Daten");
  studio.reset();
  openIn("en");
  EXPECT_EQ(action("page_data"), "Data") << "the command line has the last word";
}

TEST_F(LanguageTest, ALanguageNobodySpeaksIsRefusedWithThoseThatAre) {
  const auto wrong = studio::parseOptions({"roadtune-studio", "--language", "fr"});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().text().find("en, de or desktop"), std::string::npos) << wrong.error().text();
  const auto right = studio::parseOptions({"roadtune-studio", "--language", "de"});
  ASSERT_TRUE(right.ok());
  EXPECT_EQ(right.value().language, "de");
}

struct Message {
  QString context, source;
  QStringList translations;
  bool unfinished = false;
};

std::vector<Message> messagesOf(const QString& file) {
  QFile in(file);
  EXPECT_TRUE(in.open(QIODevice::ReadOnly)) << file.toStdString();
  QXmlStreamReader xml(&in);
  std::vector<Message> all;
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QLatin1String("name")) context = xml.readElementText();
    if (xml.name() == QLatin1String("message")) all.push_back({context, {}, {}});
    if (xml.name() == QLatin1String("source")) all.back().source = xml.readElementText();
    if (xml.name() != QLatin1String("translation")) continue;
    all.back().unfinished = xml.attributes().hasAttribute(QLatin1String("type"));
    QString words;
    while (!xml.atEnd() && xml.readNext() != QXmlStreamReader::EndElement) {
      if (xml.isStartElement()) all.back().translations << xml.readElementText();  // a form for one, or for many
      if (xml.isCharacters() && !xml.isWhitespace()) words += xml.text();
    }
    if (!words.isEmpty()) all.back().translations << words;
  }
  EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
  return all;
}

// The schema's sentences, as the window asks for them.
void writeSchemaWords(const TempFolder& folder) {
  std::string source;
  for (std::string words : config::schemaSentences()) {
    for (std::size_t at = 0; (at = words.find_first_of("\\\"", at)) != std::string::npos; at += 2)
      words.insert(at, "\\");
    source += "const char* const k = QT_TRANSLATE_NOOP(\"Schema\", \"" + words + "\");\n";
  }
  folder.write("words/schema.cpp", source);
}

// Once with everything the sources say now; what nobody translated comes back unfinished.
TEST(Translations, HaveEveryWordOfTheSources) {
  const TempFolder folder;
  for (const QFileInfo& kept : QDir(ROADTUNE_SOURCE_DIR "/resources/translations").entryInfoList({"*.ts"})) {
    const QString mine = text(folder / kept.fileName().toStdString());
    ASSERT_TRUE(QFile::copy(kept.filePath(), mine));
    writeSchemaWords(folder);
    QProcess lupdate;
    lupdate.setWorkingDirectory(ROADTUNE_SOURCE_DIR);
    lupdate.start(ROADTUNE_LUPDATE, {"-I", ".", "app/studio", "widgets", text(folder / "words"), "-locations", "none",
                                     "-no-obsolete", "-silent", "-ts", mine});
    ASSERT_TRUE(lupdate.waitForFinished(60000)) << lupdate.errorString().toStdString();
    ASSERT_EQ(lupdate.exitCode(), 0) << lupdate.readAllStandardError().toStdString();
    const auto now = messagesOf(mine);
    EXPECT_GT(now.size(), 500u);
    EXPECT_EQ(messagesOf(kept.filePath()).size(), now.size()) << "./dev translate takes out what is gone";
    for (const Message& one : now)
      EXPECT_FALSE(one.unfinished || one.translations.isEmpty())
          << kept.fileName().toStdString() << " lacks '" << one.source.toStdString() << "' ("
          << one.context.toStdString() << "): ./dev translate puts it in, then give it its words";
  }
}

// A word that lupdate files under a class that does not ask for it would never be found.
TEST(Translations, EveryContextIsAskedFor) {
  static const QRegularExpression kNamed(R"re((?:TR_FUNCTIONS\(|NOOP\("|translate\(")(\w+))re");
  QSet<QString> asked;
  for (const char* top : {"/app/studio", "/widgets"}) {
    for (QDirIterator files(QLatin1String(ROADTUNE_SOURCE_DIR) + top, {"*.cpp", "*.h"}, QDir::Files,
                            QDirIterator::Subdirectories);
         files.hasNext();) {
      QFile file(files.next());
      ASSERT_TRUE(file.open(QIODevice::ReadOnly));
      const QString source = QString::fromUtf8(file.readAll());
      for (auto found = kNamed.globalMatch(source); found.hasNext();) asked << found.next().captured(1);
    }
  }
  for (const QFileInfo& file : QDir(ROADTUNE_SOURCE_DIR "/resources/translations").entryInfoList({"*.ts"}))
    for (const Message& one : messagesOf(file.filePath()))
      EXPECT_TRUE(one.context.startsWith("roadtune::") || asked.contains(one.context))
          << one.context.toStdString() << ": '" << one.source.toStdString()
          << "'; let its function return a type without '::', or put it into a class";
}

TEST(Translations, KeepThePlacesOfTheSources) {
  static const QRegularExpression kPlace("%(?:\\d|n)");
  const auto places = [](const QString& words) {
    QStringList all;
    for (auto found = kPlace.globalMatch(words); found.hasNext();) all << found.next().captured();
    all.sort();
    return all;
  };
  for (const QFileInfo& file : QDir(ROADTUNE_SOURCE_DIR "/resources/translations").entryInfoList({"*.ts"}))
    for (const Message& one : messagesOf(file.filePath()))
      for (const QString& words : one.translations)
        EXPECT_EQ(places(words), places(one.source)) << file.fileName().toStdString() << ": " << words.toStdString();
}

}  // namespace
}  // namespace roadtune::testing
