// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/image_menu.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QStringList>

namespace roadtune::widgets {

ImageMenu::ImageMenu(QWidget* parent, bool open, bool ours) : QMenu(parent) {
  setObjectName(QStringLiteral("imageMenu"));
  setAttribute(Qt::WA_DeleteOnClose);
  if (open) addAction(tr("Open"), this, &ImageMenu::openChosen);
  if (ours) {
    addAction(tr("Tag…"), this, &ImageMenu::tagChosen);
    addAction(tr("Note…"), this, &ImageMenu::noteChosen);
    addSeparator();
    addAction(tr("Train on all images found"), this, &ImageMenu::trainChosen);
    addAction(tr("Leave out of training"), this, &ImageMenu::leaveOutChosen);
    addSeparator();
  }
  addAction(tr("Copy name"), this, &ImageMenu::copyChosen);
}

void copyImageNames(const data::Index& index, const std::vector<data::ImageId>& images) {
  QStringList names;
  for (const data::ImageId image : images) names << QString::fromStdString(index.imageLabel(image));
  QGuiApplication::clipboard()->setText(names.join(QLatin1Char('\n')));
}

}  // namespace roadtune::widgets
