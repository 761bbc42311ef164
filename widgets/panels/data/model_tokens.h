// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QString>

namespace roadtune::widgets {

// One token as the model gets it, or several equal ones in a row.
struct ModelToken {
  enum class Part { Picture, Prompt, Answer };
  QString piece;
  qint64 id = 0;
  int times = 1;
  Part part = Part::Prompt;
};

// What becomes of a prompt and an answer; they are kept to tell whose tokens these are.
struct ModelTokens {
  QString prompt, target;
  int side = 0;
  QList<ModelToken> tokens;
  QString failure;  // why there are none
  int count() const {
    int all = 0;
    for (const ModelToken& token : tokens) all += token.times;
    return all;
  }
};

}  // namespace roadtune::widgets
