// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/frame/overlay.h"

#include <QStringList>

namespace roadtune::widgets {

// The query language on one sheet: an example of everything it can say, and the names it knows.
class QuerySheet : public Overlay {
  Q_OBJECT
 public:
  explicit QuerySheet(QWidget* window);

 protected:
  QSize panelSize(const QSize& window) const override;
};

QStringList queryExamples();  // on the sheet; each is a whole query

}  // namespace roadtune::widgets
