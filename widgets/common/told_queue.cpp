// SPDX-License-Identifier: GPL-3.0-or-later
// Why a job of the queue waits, and what its worker does for it.
#include "widgets/common/told_patterns.h"
#include "widgets/common/told_words.h"

#include <QCoreApplication>

namespace roadtune::widgets {

namespace {

constexpr const char* kQueue[] = {
    QT_TRANSLATE_NOOP("QueueText", "comes after job %1, which is waiting"),
    QT_TRANSLATE_NOOP("QueueText", "comes after job %1, which is running"),
    QT_TRANSLATE_NOOP("QueueText", "comes after job %1, which has stopped"),
    QT_TRANSLATE_NOOP("QueueText", "comes after job %1, which has failed"),
    QT_TRANSLATE_NOOP("QueueText", "is tried again in %1"),
    QT_TRANSLATE_NOOP("QueueText", "this machine is for job %1"),
    QT_TRANSLATE_NOOP("QueueText", "%1 is for job %2"),
    QT_TRANSLATE_NOOP("QueueText", "waits for %1, which cannot be reached and may still run it"),
    QT_TRANSLATE_NOOP("QueueText", "waits for %1: %2"),
    QT_TRANSLATE_NOOP("QueueText", "%1 cannot be reached, and what came of the run there is not known"),
    QT_TRANSLATE_NOOP("QueueText", "starting"),
    QT_TRANSLATE_NOOP("QueueText", "starting: copying torch, %1 of %2"),
    QT_TRANSLATE_NOOP("QueueText", "comparing model and data"),
    QT_TRANSLATE_NOOP("QueueText", "copying model and data: %1 of %2"),
    QT_TRANSLATE_NOOP("QueueText", "goes on with the queue"),
    QT_TRANSLATE_NOOP("QueueText", "model and data could not be copied: %1"),
    QT_TRANSLATE_NOOP("QueueText", "asks for whether %1 is the right machine"),
    QT_TRANSLATE_NOOP("QueueText", "asks for the passphrase of %1"),
    QT_TRANSLATE_NOOP("QueueText", "asks for the password of %1"),
    QT_TRANSLATE_NOOP("QueueText", "asks for what %1 asks"),
    QT_TRANSLATE_NOOP("QueueText", "roadtune queue answer, or the studio, takes the answer"),
};

}  // namespace

QString queueWords(const QString& english) {
  static const ToldPatterns kPatterns("QueueText", kQueue, ToldPatterns::Numbers::OnlyWithUnits);
  const QString told = kPatterns.translate(english);
  return told == english ? errorWords(english.toStdString()) : told;
}

}  // namespace roadtune::widgets
