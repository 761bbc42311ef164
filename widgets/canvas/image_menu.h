// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QMenu>

namespace roadtune::widgets {

// What one does with images on show; gone once something is chosen.
class ImageMenu : public QMenu {
  Q_OBJECT
 public:
  // `open` false: the image is open already. `ours` false: it is of data that is not, and cannot be marked.
  explicit ImageMenu(QWidget* parent, bool open = true, bool ours = true);

 signals:
  void openChosen();
  void tagChosen();
  void noteChosen();
  void trainChosen();     // on what the query finds, not on these alone
  void leaveOutChosen();  // of training
  void copyChosen();
};

void copyImageNames(const data::Index& index, const std::vector<data::ImageId>& images);  // one per line

}  // namespace roadtune::widgets
