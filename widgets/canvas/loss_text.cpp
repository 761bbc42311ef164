// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/loss_text.h"

#include "core/base/units.h"
#include "widgets/common/number_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QRegularExpression>

#include <cmath>

namespace roadtune::widgets {
namespace {

struct LossWords {
  Q_DECLARE_TR_FUNCTIONS(Loss)
};

}  // namespace

QString lossNumber(double loss) {
  if (std::isnan(loss)) return LossWords::tr("no number");
  return std::isinf(loss) ? LossWords::tr("infinite") : fixedText(loss, 3);
}

QString lossOnTile(const data::ImageLosses& losses, data::ImageId image) {
  const auto* found = losses.of(image);
  return found ? LossWords::tr("loss %1").arg(lossNumber(found->summary.last)) : LossWords::tr("not seen");
}

QString lossInWords(const data::ImageLosses& losses, data::ImageId image) {
  const auto* found = losses.of(image);
  if (!found) return LossWords::tr("The run has not seen this image.");
  const runs::SampleSummary& one = found->summary;
  const auto count = [](std::int64_t number) { return numberText(formatCount(number)); };
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
  static const QRegularExpression kLoss(QStringLiteral("^loss\\s*\\(\\s*([\"']?)(.+?)\\1\\s*\\)"),
                                        QRegularExpression::CaseInsensitiveOption);
  return kLoss.match(order.trimmed()).captured(2);
}

}  // namespace roadtune::widgets
