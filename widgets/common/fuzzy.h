// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace roadtune::widgets {

// How well `typed` matches `candidate` as letters in order, anywhere: 0 is no match; starts of words and runs of
// neighbours count more. Case does not matter. An empty word matches everything with 1.
int fuzzyScore(const QString& typed, const QString& candidate);

}  // namespace roadtune::widgets
