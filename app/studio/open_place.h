// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QUrl>

namespace roadtune::widgets {
class NoticeBar;
}

namespace roadtune::studio {

// With whatever the desktop has for it. Where it has nothing, `notice` says where it lies.
void openPlace(const QString& path, widgets::NoticeBar* notice);
void openLink(const QUrl& link, widgets::NoticeBar* notice);

}  // namespace roadtune::studio
