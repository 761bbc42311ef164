// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_order.h"

#include <QCollator>
#include <QCoreApplication>
#include <QLocale>

namespace roadtune::widgets {
namespace {

struct OrderText {
  Q_DECLARE_TR_FUNCTIONS(RunOrder)
};

// What goes on first, then what wants to be looked at.
int rankOf(runs::RunState state) {
  switch (state) {
    case runs::RunState::Running: return 0;
    case runs::RunState::Created: return 1;
    case runs::RunState::Lost: return 2;
    case runs::RunState::Failed: return 3;
    case runs::RunState::Stopped: return 4;
    case runs::RunState::Finished: return 5;
  }
  return 6;
}

// "run-9" before "run-10", as people count.
int compareNames(const runs::RunEntry& a, const runs::RunEntry& b) {
  static const QCollator kByNumber = [] {
    // The C locale knows no numbers in names.
    QCollator collator(QLocale().language() == QLocale::C ? QLocale(QLocale::English) : QLocale());
    collator.setNumericMode(true);
    collator.setCaseSensitivity(Qt::CaseInsensitive);
    return collator;
  }();
  const auto name = [](const runs::RunEntry& run) {
    return QString::fromStdString(run.name.empty() ? run.path.filename().string() : run.name);
  };
  return kByNumber.compare(name(a), name(b));
}

}  // namespace

std::vector<RunOrderWords> runOrders() {
  return {{RunOrder::Newest, "newest", OrderText::tr("Newest first")},
          {RunOrder::Name, "name", OrderText::tr("By name")},
          {RunOrder::Loss, "loss", OrderText::tr("Lowest loss first")},
          {RunOrder::EvalLoss, "eval_loss", OrderText::tr("Lowest evaluation loss first")},
          {RunOrder::State, "state", OrderText::tr("By state")}};
}

bool isBefore(const runs::RunEntry& a, const runs::RunEntry& b, RunOrder order) {
  switch (order) {
    case RunOrder::Newest: {
      const bool aRuns = a.state == runs::RunState::Running, bRuns = b.state == runs::RunState::Running;
      if (aRuns != bRuns) return aRuns;
      break;
    }
    case RunOrder::Name:
      if (const int by = compareNames(a, b); by != 0) return by < 0;
      break;
    case RunOrder::Loss:
      if (const double one = runs::comparableLoss(a.loss), other = runs::comparableLoss(b.loss); one != other)
        return one < other;
      break;
    case RunOrder::EvalLoss:
      if (const double one = runs::comparableLoss(a.evalLoss), other = runs::comparableLoss(b.evalLoss); one != other)
        return one < other;
      break;
    case RunOrder::State:
      if (rankOf(a.state) != rankOf(b.state)) return rankOf(a.state) < rankOf(b.state);
      break;
  }
  return a.started > b.started;
}

}  // namespace roadtune::widgets
