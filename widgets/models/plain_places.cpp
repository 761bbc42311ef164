// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/plain_places.h"

#include <QRegularExpression>

#include <algorithm>

namespace roadtune::widgets {
namespace {

using Processes = std::vector<runs::ProcessInfo>;

// " on gpu-b"; nothing where all of them are on one machine, or where that is not known.
QString onHost(const Processes& processes, int runs::ProcessInfo::*what, int number) {
  const auto found = std::ranges::find(processes, number, what);
  if (found == processes.end() || found->host.empty()) return {};
  const bool alone =
      std::ranges::all_of(processes, [&](const runs::ProcessInfo& one) { return one.host == found->host; });
  return alone ? QString() : QStringLiteral(" on ") + QString::fromStdString(found->host);
}

// Replaces each match by what `words` makes of it.
template <class Words>
QString replaced(const QString& text, const QRegularExpression& shape, const Words& words) {
  QString result;
  qsizetype from = 0;
  for (auto found = shape.globalMatch(text); found.hasNext();) {
    const QRegularExpressionMatch one = found.next();
    result += text.mid(from, one.capturedStart() - from) + words(one);
    from = one.capturedEnd();
  }
  return result + text.mid(from);
}

}  // namespace

std::string plainPlaces(const std::string& told, const Processes& processes) {
  // Where a sentence begins, and who is missing at an exchange. A log that is quoted behind "rank 3: " stays.
  static const QRegularExpression kRank(QStringLiteral("^([Rr])ank (\\d+)(?= |$)|(?<=: )(r)ank (\\d+)(?= \\()"));
  static const QRegularExpression kCard(QStringLiteral("(?<![\\w/])(?:node/(\\d+)/)?gpu/(\\d+)"));
  const QString text = replaced(QString::fromStdString(told), kRank, [&](const QRegularExpressionMatch& rank) {
    const int number = (rank.captured(2) + rank.captured(4)).toInt();
    const QString word =
        rank.captured(1) == QLatin1String("R") ? QStringLiteral("Process ") : QStringLiteral("process ");
    return word + QString::number(number + 1) + onHost(processes, &runs::ProcessInfo::rank, number);
  });
  return replaced(text, kCard,
                  [&](const QRegularExpressionMatch& card) {
                    return QStringLiteral("GPU ") + card.captured(2) +
                           onHost(processes, &runs::ProcessInfo::node, card.captured(1).toInt());
                  })
      .toStdString();
}

}  // namespace roadtune::widgets
