// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/error.h"

#include <QString>

#include <optional>
#include <string>

namespace roadtune::widgets {

// What core says of a run or a machine, in the window's language. Core speaks English, to the terminal and to files;
// the window knows the patterns of its sentences ("%1 is busy %2 % of the time") and puts what stood in their places
// into its own. A sentence without a pattern stays as it is.
QString verdictWords(const std::string& english);              // of runs::Verdict: title, evidence, advice
QString checkWords(const QString& english);                    // of a preflight check: what was found, what to do
QString problemWords(const std::string& english);              // of config::Problem: message, hint
QString queryErrorWords(const QString& english);               // of a query that cannot be answered
QString errorWords(const std::string& english);                // of an Error: what happened, what to try
QString errorText(const Error& error);                         // all of it, in one line
std::optional<QString> errorSentence(const QString& english);  // one that errors are known to say, as a whole
QString queueWords(const QString& english);                    // of a job of the queue: why it waits, or failed
QString quantityWords(const std::string& english);             // of a part of a memory plan, or a metric

}  // namespace roadtune::widgets
