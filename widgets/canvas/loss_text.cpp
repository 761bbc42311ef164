// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/loss_text.h"

#include "widgets/common/loss_number.h"
#include "widgets/common/number_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QRegularExpression>

namespace roadtune::widgets {
namespace {

struct LossWords {
  Q_DECLARE_TR_FUNCTIONS(Loss)
};

// loss(NAME) with or without quotes; the name is the second group.
const QRegularExpression& lossPattern() {
  static const QRegularExpression kLoss(QStringLiteral("\\bloss\\s*\\(\\s*([\"']?)(.+?)\\1\\s*\\)"),
                                        QRegularExpression::CaseInsensitiveOption);
  return kLoss;
}

}  // namespace

QString lossOnTile(const data::ImageLosses& losses, data::ImageId image) {
  const auto* found = losses.of(image);
  return found ? LossWords::tr("loss %1").arg(lossNumber(found->summary.last)) : LossWords::tr("not seen");
}

QString lossInWords(const data::ImageLosses& losses, data::ImageId image) {
  const auto* found = losses.of(image);
  if (!found) return LossWords::tr("The run has not seen this image.");
  const runs::SampleSummary& one = found->summary;
  const auto count = [](std::int64_t number) { return countText(number); };
  QString words = LossWords::tr("%1 at step %2").arg(lossNumber(one.last), count(one.lastStep));
  if (one.seen > 1)
    words += QLatin1Char('\n') + LossWords::tr("seen %1 times, worst %2 at step %3")
                                     .arg(count(one.seen), lossNumber(one.worst), count(one.worstStep));
  return words;
}

QString lossTerm(const QString& folder) {
  const QString home = QDir::homePath() + QLatin1Char('/');
  const QString path = folder.startsWith(home) ? QStringLiteral("~/") + folder.mid(home.size()) : folder;
  const QChar quote = path.contains(QLatin1Char('"')) ? QLatin1Char('\'') : QLatin1Char('"');
  return QStringLiteral("loss(") + quote + path + quote + QLatin1Char(')');
}

QString runOfOrder(const QString& order) {
  const auto match = lossPattern().match(order.trimmed());
  return match.hasMatch() && match.capturedStart() == 0 ? match.captured(2) : QString();
}

QString withRunFolders(const QString& query, const std::map<std::string, std::filesystem::path>& runs) {
  QString text;
  qsizetype from = 0;
  for (auto found = lossPattern().globalMatch(query); found.hasNext();) {
    const auto match = found.next();
    const auto run = runs.find(match.captured(2).toStdString());
    if (run == runs.end()) continue;
    text += query.mid(from, match.capturedStart() - from) + lossTerm(QString::fromStdString(run->second.string()));
    from = match.capturedEnd();
  }
  return text + query.mid(from);
}

}  // namespace roadtune::widgets
