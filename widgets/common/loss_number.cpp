// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/loss_number.h"

#include "widgets/common/number_text.h"

#include <QCoreApplication>

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

}  // namespace roadtune::widgets
