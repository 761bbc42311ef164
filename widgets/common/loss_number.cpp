// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/loss_number.h"

#include "widgets/common/number_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace roadtune::widgets {
namespace {

struct LossWords {
  Q_DECLARE_TR_FUNCTIONS(Loss)
};

}  // namespace

QString lossNumber(double loss) {
  if (std::isnan(loss)) return LossWords::tr("no number");
  if (std::isinf(loss)) return LossWords::tr("infinite");
  // A loss is hardly ever so small; "0.000" would say that nothing is left of it.
  if (loss != 0 && std::abs(loss) < 0.001) return QLocale().toString(loss, 'g', 3);
  return fixedText(loss, 3);
}

}  // namespace roadtune::widgets
