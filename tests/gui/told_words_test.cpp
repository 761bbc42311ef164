// SPDX-License-Identifier: GPL-3.0-or-later
// What core says in English, in the window's language: every sentence that its sources hold.
#include "widgets/common/told_words.h"

#include "app/studio/language.h"
#include "core/runs/shown_metrics.h"
#include "widgets/models/plain_places.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QRegularExpression>
#include <QSet>

#include <functional>
#include <optional>

namespace roadtune::widgets {
namespace {

struct ToldWords : ::testing::Test {
  void speakGerman() {
    german.emplace(QStringLiteral("de"));
    ASSERT_EQ(german->language(), "de");
  }
  std::optional<studio::Translation> german;
};

TEST_F(ToldWords, EnglishStaysAsItWasTold) {
  for (const char* text : {"gpu/0 is busy 12 % of the time",
                           "waiting for samples takes 1.2 s of a step of 3 s (40 %), "
                           "over 25 steps; the processor is 55 % busy",
                           "rank 1: RuntimeError: 50%1 of 2.5, lost; so", "something new, never heard; of"})
    EXPECT_EQ(verdictWords(text).toStdString(), text);
  for (const char* text :
       {"812 GB free at /data/v1.2, writes 1.5 GB/s", "Debian GNU/Linux 12, kernel 6.1, glibc 2.36",
        "0 NVIDIA H200: 139 GB of 141 GB free, 2 other processes; 1 NVIDIA H200: 1 GB of 141 GB free"})
    EXPECT_EQ(checkWords(text).toStdString(), text);
}

TEST_F(ToldWords, SentencesWithNumbersAreToldInGerman) {
  speakGerman();
  EXPECT_EQ(verdictWords("gpu/0 is busy 12 % of the time"), "gpu/0 ist 12 % der Zeit beschäftigt");
  EXPECT_EQ(
      verdictWords("waiting for samples takes 1.2 s of a step of 3 s (40 %), over 25 steps; the processor is 55 % "
                   "busy"),
      "das Warten auf Bilder dauert 1,2 s von einem Schritt mit 3 s (40 %), über 25 Schritte; der Prozessor ist zu "
      "55 % ausgelastet");
  EXPECT_EQ(verdictWords("2.5 GB are free, a checkpoint takes 1.2 GB, full in 4 min at this rate"),
            "2,5 GB sind frei, ein Checkpoint braucht 1,2 GB, bei diesem Tempo in 4 min voll");
  EXPECT_EQ(verdictWords("rank 1: tried to allocate 2.50 GiB"), "Rang 1: tried to allocate 2.50 GiB")
      << "a log is quoted";
  EXPECT_EQ(checkWords("20,000 open files"), "20.000 offene Dateien");
  EXPECT_EQ(checkWords("812.5 GB free at /data/v1.2, writes 1.5 GB/s"),
            "812,5 GB frei unter /data/v1.2, schreibt 1,5 GB/s");
  EXPECT_EQ(checkWords("Debian GNU/Linux 12, kernel 6.1, glibc 2.36"), "Debian GNU/Linux 12, Kernel 6.1, glibc 2.36")
      << "versions keep their points";
  EXPECT_EQ(checkWords("0 NVIDIA H200: 139.5 GB of 141 GB free, 2 other processes; 1 NVIDIA H200: 1 GB of 141 GB free"),
            "0 NVIDIA H200: 139,5 GB von 141 GB frei, 2 andere Prozesse; 1 NVIDIA H200: 1 GB von 141 GB frei");
  EXPECT_EQ(checkWords("2 machines add up 4 MB in 3.4 ms over NCCL between graphics cards"),
            "2 Rechner addieren 4 MB in 3,4 ms über NCCL zwischen Grafikkarten");
  EXPECT_EQ(checkWords("3 machines add up 4 MB in 12 ms over Gloo; no NCCL: gpu2: no card"),
            "3 Rechner addieren 4 MB in 12 ms über Gloo; kein NCCL: gpu2: no card");
}

TEST_F(ToldWords, WhatAProgramEndedWithIsToldInGerman) {
  const char* const kLine =
      "process 2 of 2 failed first: exit code 2: /tmp/a: b/data.jsonl: is neither an index, a JSONL file nor a COCO "
      "file (try: run `roadtune data index /tmp/a: b/data.jsonl --out DIR` and name DIR)";
  EXPECT_EQ(verdictWords(kLine), kLine);
  speakGerman();
  EXPECT_EQ(
      verdictWords(kLine),
      "Prozess 2 von 2 scheiterte zuerst: Fehlercode 2: /tmp/a: b/data.jsonl: ist weder ein Index noch eine "
      "JSONL- noch eine COCO-Datei (Vorschlag: `roadtune data index /tmp/a: b/data.jsonl --out DIR` laufen lassen "
      "und DIR nennen)");
  EXPECT_EQ(
      verdictWords("exit code 2: /tmp/x: must be imported first; `roadtune train` does it when it starts a run"),
      "Fehlercode 2: /tmp/x: muss zuerst importiert werden; `roadtune train` tut das, wenn es einen Lauf startet");
  EXPECT_EQ(verdictWords("host2: the agent was killed, and what watches over it as well; its ranks have ended"),
            "host2: der Agent wurde beendet, und was auf ihn aufpasst, auch; seine Prozesse sind zu Ende");
  EXPECT_EQ(
      verdictWords("process 2 of 3 on host2 failed first: 10.77.67.4: another machine does not answer any more, for "
                   "120 s now (try: look whether it is on; roadtune fleet check tries the network; peer_timeout is "
                   "how long is waited)")
          .toStdString(),
      "Prozess 2 von 3 auf host2 scheiterte zuerst: 10.77.67.4: ein anderer Rechner antwortet nicht mehr, seit 120 "
      "s (Vorschlag: nachsehen, ob er an ist; roadtune fleet check prüft das Netz; peer_timeout sagt, wie lange "
      "gewartet wird)");
  EXPECT_EQ(verdictWords("rank 1: RuntimeError: tensor a: 1.5 GB, 2; so"),
            "Rang 1: RuntimeError: tensor a: 1.5 GB, 2; so")
      << "a log is quoted";
}

TEST_F(ToldWords, NobodyHasToKnowWhatARankIs) {
  const std::vector<runs::ProcessInfo> here{{.rank = 0, .host = "gpu-a"}, {.rank = 1, .host = "gpu-a"}};
  const std::vector<runs::ProcessInfo> two{{.rank = 0, .node = 0, .host = "gpu-a"},
                                           {.rank = 1, .node = 1, .host = "gpu-b"}};
  const auto told = [](const char* text, const std::vector<runs::ProcessInfo>& processes) {
    return verdictWords(plainPlaces(text, processes)).toStdString();
  };
  EXPECT_EQ(told("Rank 1 holds the others up", here), "Process 2 holds the others up");
  EXPECT_EQ(told("Rank 1 holds the others up", two), "Process 2 on gpu-b holds the others up");
  EXPECT_EQ(told("node/1/gpu/3 is nearly out of memory", two), "GPU 3 on gpu-b is nearly out of memory");
  EXPECT_EQ(told("gpu/0 is busy 12 % of the time", here), "GPU 0 is busy 12 % of the time");
  EXPECT_EQ(told("after step 9; a step usually takes 1 s; missing at the sum no. 4,312: rank 0 (ranks that wait there: "
                 "1)",
                 two),
            "after step 9; a step usually takes 1 s; missing at the sum no. 4,312: process 1 on gpu-a (processes that "
            "wait there: 1)");
  EXPECT_EQ(told("process 2 of 2: RuntimeError: rank 1 died", two), "process 2 of 2: RuntimeError: rank 1 died")
      << "a log is quoted";
  EXPECT_EQ(verdictWords("Another rank went away"), "Another process went away");
  EXPECT_EQ(problemWords("4 ranks for 2 GPUs"), "4 processes for 2 GPUs");
  speakGerman();
  EXPECT_EQ(told("Rank 1 holds the others up", two), "Prozess 2 auf gpu-b hält die anderen auf");
  EXPECT_EQ(told("node/1/gpu/3 is nearly out of memory", two), "GPU 3 auf gpu-b hat kaum noch Speicher");
}

TEST_F(ToldWords, QuantitiesHaveGermanNames) {
  speakGerman();
  EXPECT_EQ(quantityWords("optimizer (AdamW)"), "Optimierer (AdamW)");
  EXPECT_EQ(quantityWords("activations, vision tower"), "Aktivierungen, Bildturm");
  EXPECT_EQ(quantityWords("Seconds per step"), "Sekunden je Schritt");
  EXPECT_EQ(quantityWords("train/something_else"), "train/something_else");
  const char* const names[] = {"train/loss",
                               "eval/loss",
                               "train/samples_per_second",
                               "train/mfu",
                               "train/tflops_per_s",
                               "train/grad_norm",
                               "train/learning_rate",
                               "train/step_seconds",
                               "train/memory_bytes",
                               "train/grad_norm_vision_tower",
                               "train/grad_norm_projector",
                               "train/grad_norm_language_model",
                               "anatomy/wait",
                               "anatomy/read",
                               "anatomy/decode",
                               "anatomy/tokenise",
                               "anatomy/copy",
                               "anatomy/forward",
                               "anatomy/backward",
                               "anatomy/comm",
                               "anatomy/optimizer",
                               "anatomy/other"};
  for (const auto& metric : runs::shownMetrics({std::begin(names), std::end(names)}))
    EXPECT_NE(quantityWords(metric.title).toStdString(), metric.title) << metric.name;
}

QString textOf(const QString& file) {
  QFile in(file);
  EXPECT_TRUE(in.open(QIODevice::ReadOnly)) << file.toStdString();
  return QString::fromUtf8(in.readAll());
}

// Neighbouring string literals, joined; without what is no sentence.
// `sums`: what is put together with + is one sentence, too.
QStringList literalsOf(QString source, bool sums) {
  static const QRegularExpression kSum(QStringLiteral("\"\\)?\\s*\\+[^\"\\n]*\\+\\s*\""));
  if (sums) source.replace(kSum, QStringLiteral("7"));
  static const QRegularExpression kLiterals(
      QStringLiteral("\"(?:[^\"\\\\\\n]|\\\\.)*\"(?:\\s*\"(?:[^\"\\\\\\n]|\\\\.)*\")*"));
  static const QRegularExpression kJoint(QStringLiteral("\"\\s*\"")), kPlace(QStringLiteral("\\{[:.+0-9a-z]*\\}"));
  static const QRegularExpression kSentence(QStringLiteral("[a-z]{2,} [a-z]|[a-z] [a-z]{2,}"));
  QStringList all;
  for (auto found = kLiterals.globalMatch(source); found.hasNext();) {
    QString text = found.next().captured();
    text = text.mid(1, text.size() - 2).remove(kJoint).replace(kPlace, QStringLiteral("7"));
    if (text.contains(kSentence)) all << text;
  }
  return all;
}

// The sentences of a source; without includes, comments, what is looked for in a log, and errors.
QStringList sentencesOf(const QString& file, bool sums = false) {
  static const QRegularExpression kNoise(
      QStringLiteral("^#include.*$|//.*$|Signature\\{\"[^\"]*\"|abstained\\.push_back\\([\\s\\S]*?\\);|return "
                     "(failed|badInput)\\([\\s\\S]*?\\);"),
      QRegularExpression::MultilineOption);
  return literalsOf(textOf(file).remove(kNoise), sums);
}

// The sentences of its errors.
QStringList errorsOf(const QString& file) {
  static const QRegularExpression kError(QStringLiteral("\\b(?:failed|badInput)\\(([\\s\\S]*?)\\);"));
  QStringList all;
  const QString source = textOf(file);
  for (auto found = kError.globalMatch(source); found.hasNext();) all << literalsOf(found.next().captured(1), true);
  return all;
}

// Whether it is told in German, alone or with something before or behind it.
bool isTold(const QString& sentence, const std::function<QString(const QString&)>& words) {
  const QString bare = sentence.trimmed().remove(QRegularExpression(QStringLiteral("^[;,] |[;,:]$")));
  for (const QString& whole : {sentence, sentence + QLatin1Char('7'), QLatin1Char('7') + sentence,
                               QLatin1Char('7') + sentence + QLatin1Char('7'), bare, bare + QStringLiteral(" 7")})
    if (words(whole) != whole) return true;
  return false;
}

TEST_F(ToldWords, EverySentenceOfTheVerdictsHasGermanWords) {
  speakGerman();
  const QSet<QString> patterns{
      "7 are free77",  // put together from others
      "target_modules also adapt 7 layers of the vision tower (7): 7 of the trainable parameters. 7To adapt the "
      "language model alone: exclude_modules: '.*vision_tower.*'",
      "freeze_vision_tower freezes the tower's own weights, not its adapters. "};
  const QString root = ROADTUNE_SOURCE_DIR "/core/";
  QStringList files{root + "policy/divergence.cpp", root + "protocol/known_failure.cpp", root + "model/tree_notes.cpp"};
  for (const QFileInfo& one : QDir(root + "runs").entryInfoList({"diagnosis*.cpp"})) files << one.filePath();
  int sentences = 0;
  for (const QString& file : files)
    for (const QString& one : sentencesOf(file)) {
      ++sentences;
      EXPECT_TRUE(patterns.contains(one) ||
                  isTold(one, [](const QString& text) { return verdictWords(plainPlaces(text.toStdString(), {})); }))
          << file.toStdString() << ": " << one.toStdString();
    }
  EXPECT_GT(sentences, 90);
}

TEST_F(ToldWords, ProblemsOfAConfigurationAreToldInGerman) {
  EXPECT_EQ(problemWords("is missing: folder of the model"), "is missing") << "the field says what it is for";
  speakGerman();
  EXPECT_EQ(problemWords("expected a number, above 0 and at most 1, found 1,5"),
            "erwartet: eine Zahl, über 0 und höchstens 1, gefunden: 1,5");
  EXPECT_EQ(problemWords("0.5 is out of range: must be at least 1"), "0.5 liegt außerhalb: erlaubt ist mindestens 1")
      << "what stands in the file keeps its point";
  EXPECT_EQ(problemWords("/data/drives: the index has no class 'dog'"),
            "/data/drives: der Index hat keine Klasse „dog“");
  EXPECT_EQ(problemWords("'forzen' is not one of frozen, full, lora, qlora"),
            "„forzen“ ist keines von frozen, full, lora, qlora");
  EXPECT_EQ(problemWords("has no effect unless finetuning_type is lora or qlora"),
            "hat keine Wirkung, solange finetuning_type nicht lora oder qlora ist");
  EXPECT_EQ(problemWords("is missing: folder of the model"), "fehlt");
  EXPECT_EQ(problemWords("learning_rate"), "learning_rate");
}

TEST_F(ToldWords, EverySentenceAboutAConfigurationHasGermanWords) {
  speakGerman();
  const QString root = ROADTUNE_SOURCE_DIR "/core/config/";
  QStringList files{root + "check_paths.cpp", root + "foreign_keys.cpp", root + "foreign_words.cpp"};
  for (const char* some : {"rules*.cpp", "convert*.cpp"})
    for (const QFileInfo& one : QDir(root).entryInfoList({some})) files << one.filePath();
  int sentences = 0;
  for (const QString& file : files)
    for (const QString& one : sentencesOf(file)) {
      ++sentences;
      EXPECT_TRUE(isTold(one, [](const QString& text) { return problemWords(text.toStdString()); }))
          << file.toStdString() << ": " << one.toStdString();
    }
  EXPECT_GT(sentences, 120);
}

TEST_F(ToldWords, EverythingThatAJobOfTheQueueWaitsForHasGermanWords) {
  speakGerman();
  EXPECT_EQ(queueWords("comes after job 3, which has failed"), "kommt nach Lauf 3, der gescheitert ist");
  EXPECT_EQ(queueWords("copying model and data: 1.5 GB of 3.0 GB; goes on with the queue"),
            "kopiert Modell und Daten: 1,5 GB von 3,0 GB; geht mit der Warteschlange weiter");
  const QString root = ROADTUNE_SOURCE_DIR "/";
  // Of told ones, and what the terminal alone says.
  const QSet<QString> parts{"comes after job 7, which 7 7", "this machine", "copying torch",
                            "cannot ask process ",          " to end",      "asks for ",
                            " and is tried again"};
  int sentences = 0;
  for (const char* file :
       {"core/policy/queue_order.cpp", "remote/queue/queue_worker.cpp", "remote/queue/input_copy.cpp"})
    for (const QString& one : sentencesOf(root + QLatin1String(file))) {
      if (parts.contains(one) || one.startsWith(QLatin1String("job 7"))) continue;
      ++sentences;
      EXPECT_TRUE(isTold(one, [](const QString& text) { return queueWords(text); }))
          << file << ": " << one.toStdString();
    }
  EXPECT_GT(sentences, 9);
}

TEST_F(ToldWords, EverySentenceOfTheChecksHasGermanWords) {
  speakGerman();
  // Of told ones, and what is a key.
  const QSet<QString> parts{"end other programs: at least ", " are needed", "other process", "other processes",
                            "same nccl"};
  const QString root = ROADTUNE_SOURCE_DIR "/remote/launch/";
  EXPECT_EQ(checkWords("end other programs: at least 1.5 GB are needed"),
            "andere Programme beenden: mindestens 1,5 GB werden gebraucht");
  EXPECT_EQ(checkWords("the first run copies it from here (457.8 MB); or set ROADTUNE_TORCH there to its folder"),
            "der erste Lauf kopiert es von hier (457,8 MB); oder dort ROADTUNE_TORCH auf seinen Ordner setzen");
  EXPECT_EQ(checkWords("free 457.8 MB in its home, where the first run copies it to from here: 1.5 MB are free"),
            "457,8 MB in seinem Home-Ordner freimachen, wohin der erste Lauf es von hier kopiert: 1,5 MB sind frei");
  EXPECT_EQ(checkWords("/home/a b/.ssh/config:12: 'ciphers' is not supported"),
            "/home/a b/.ssh/config:12: „ciphers“ wird nicht unterstützt");
  int sentences = 0;
  for (const QString& one : sentencesOf(QStringLiteral(ROADTUNE_SOURCE_DIR "/remote/ssh/ssh_config.cpp"))) {
    ++sentences;
    EXPECT_TRUE(isTold(one, checkWords)) << one.toStdString();
  }
  EXPECT_EQ(sentences, 3) << "what of ssh_config is not followed";
  for (const char* file : {"preflight.cpp", "read_probe.cpp", "run_needs.cpp"})
    for (const QString& one : sentencesOf(root + QLatin1String(file))) {
      ++sentences;
      EXPECT_TRUE(parts.contains(one) || isTold(one, checkWords)) << file << ": " << one.toStdString();
    }
  EXPECT_GT(sentences, 25);
}

TEST_F(ToldWords, EveryMistakeInAQueryHasGermanWords) {
  speakGerman();
  EXPECT_EQ(queryErrorWords("there is no field 'heigth'"), "es gibt kein Feld 'heigth'");
  EXPECT_EQ(queryErrorWords("'~/runs/a, b': the run has no losses of samples; record_sample_losses: true keeps them"),
            "'~/runs/a, b': der Lauf hat keine Verluste von Beispielen; record_sample_losses: true hebt sie auf");
  const QString root = ROADTUNE_SOURCE_DIR "/core/data/query/";
  const QSet<QString> suggestions{"sort by", "sort by n", "and, or, sort by, limit",
                                  "= or in (...)"};  // pieces of the language
  int sentences = 0;
  for (const char* file : {"parser.cpp", "lexer.cpp", "check.cpp", "run_losses.cpp"})
    for (const QString& one : sentencesOf(root + QLatin1String(file), true)) {
      ++sentences;
      EXPECT_TRUE(suggestions.contains(one) || isTold(one, queryErrorWords)) << file << ": " << one.toStdString();
    }
  EXPECT_GT(sentences, 25);
}

TEST_F(ToldWords, ErrorsOfMachinesRunsAndModulesHaveGermanWords) {
  speakGerman();
  EXPECT_EQ(errorText(badInput("job 3 is running", "runs/a", "roadtune stop runs/a")),
            "runs/a: Auftrag 3 läuft (Vorschlag: roadtune stop runs/a)");
  EXPECT_EQ(errorText(badInput("'layers.99' names no module of this model", "modules")),
            "modules: „layers.99“ nennt kein Modul dieses Modells");
  EXPECT_EQ(
      errorWords(
          "torch 2.11.0 is not on this machine and cannot be installed: there is no pip; nor can it be "
          "copied from here: the disk is too small for torch 2.11.0: 457.8 MB are to come, 87.5 MB are free there"),
      "torch 2.11.0 fehlt auf diesem Rechner und lässt sich nicht installieren: es gibt kein pip; es lässt sich "
      "auch nicht von hier kopieren: die Platte ist zu klein für torch 2.11.0: 457,8 MB kommen noch, dort sind 87,5 MB "
      "frei");
  int sentences = 0;
  for (const char* file : {"core/model/module_tree.cpp",
                           "core/model/target_match.cpp",
                           "core/config/fleet.cpp",
                           "core/config/variants.cpp",
                           "remote/ssh/tcp.cpp",
                           "remote/ssh/authenticate.cpp",
                           "remote/ssh/session.cpp",
                           "remote/ssh/host_key.cpp",
                           "remote/ssh/jump_tunnel.cpp",
                           "remote/queue/job_queue.cpp",
                           "remote/launch/run_control.cpp",
                           "remote/launch/run_folder.cpp",
                           "remote/launch/resume.cpp",
                           "remote/launch/cut_start.cpp",
                           "remote/transfer/bring_torch.cpp",
                           "remote/transfer/torch_here.cpp",
                           "remote/transfer/torch_there.cpp",
                           "core/data/index/index.cpp",
                           "core/data/source/mix_source.cpp",
                           "core/data/source/data_doubts.cpp",
                           "core/data/quality/length_doubts.cpp",
                           "core/data/source/split_source.cpp"})
    for (const QString& one : errorsOf(QStringLiteral(ROADTUNE_SOURCE_DIR "/") + QLatin1String(file))) {
      if (one.startsWith(QLatin1String("roadtune "))) continue;  // a command to type
      ++sentences;
      EXPECT_TRUE(isTold(one, [](const QString& text) { return errorWords(text.toStdString()); }))
          << file << ": " << one.toStdString();
    }
  EXPECT_GT(sentences, 60);
}

}  // namespace
}  // namespace roadtune::widgets
