// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace roadtune::widgets {

// The first of "night", "night-2", "night-3" ... that is not taken, each with the ending behind it.
template <class Taken>
QString freeName(const QString& name, const QString& ending, const Taken& taken) {
  QString free = name + ending;
  for (int i = 2; taken(free); ++i) free = name + QLatin1Char('-') + QString::number(i) + ending;
  return free;
}

}  // namespace roadtune::widgets
