// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/open_place.h"

#include "widgets/common/notice_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDesktopServices>

namespace roadtune::studio {
namespace {
struct OpenText {
  Q_DECLARE_TR_FUNCTIONS(OpenText)
};
}  // namespace

void openPlace(const QString& path, widgets::NoticeBar* notice) { openLink(QUrl::fromLocalFile(path), notice); }

void openLink(const QUrl& link, widgets::NoticeBar* notice) {
  if (QDesktopServices::openUrl(link)) return;
  const QString place = link.isLocalFile() ? link.toLocalFile() : link.toString();
  notice->show(widgets::NoticeBar::Kind::Warning,
               OpenText::tr("No program of this desktop opens it. It lies here: %1").arg(place));
  notice->offer(link.isLocalFile() ? OpenText::tr("Copy path") : OpenText::tr("Copy link"),
                [place] { QApplication::clipboard()->setText(place); });
}

}  // namespace roadtune::studio
