// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

class QDBusVariant;

namespace roadtune::studio {

// Does the desktop want dark windows? Asks the desktop portal, and follows it; without one, what toolkits' settings
// files and the platform's own palette say. Create before the studio's palette is set.
class DesktopTheme : public QObject {
  Q_OBJECT
 public:
  explicit DesktopTheme(QObject* parent = nullptr);
  bool dark() const { return m_dark; }

 signals:
  void changed(bool dark);

 private slots:
  void onPortalSetting(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  void askPortal();
  void set(bool dark);
  bool m_dark = false;
};

}  // namespace roadtune::studio
