// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/image_menu.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QStringList>

namespace roadtune::widgets {

ImageMenu::ImageMenu(QWidget* parent, bool open, bool ours) : QMenu(parent) {
  setObjectName(QStringLiteral("imageMenu"));
  setAttribute(Qt::WA_DeleteOnClose);
  // The page itself takes these keys; here they are told.
  const auto keyed = [](QAction* action, Qt::Key key) {
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    action->setShortcutVisibleInContextMenu(true);
  };
  if (open) keyed(addAction(tr("Open"), this, &ImageMenu::openChosen), Qt::Key_Enter);
  if (ours) {
    keyed(addAction(tr("Tag…"), this, &ImageMenu::tagChosen), Qt::Key_T);
    keyed(addAction(tr("Note…"), this, &ImageMenu::noteChosen), Qt::Key_N);
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
