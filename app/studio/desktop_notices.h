// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDBusConnection>
#include <QHash>
#include <QObject>
#include <QString>

namespace roadtune::studio {

// Messages of the desktop's own notification service (org.freedesktop.Notifications), each with a button that leads to
// what it is about. Where there is no such service nothing happens. Never waits for it. UI thread.
class DesktopNotices : public QObject {
  Q_OBJECT
 public:
  explicit DesktopNotices(const QDBusConnection& bus = QDBusConnection::sessionBus(), QObject* parent = nullptr);

  // A newer message about the same subject takes the place of the older one.
  void tell(const QString& subject, const QString& title, const QString& text, bool urgent);

 signals:
  void chosen(const QString& subject);  // its button, or the message itself, was clicked

 private slots:
  void onAction(uint number, const QString& action);
  void onClosed(uint number, uint reason);

 private:
  QDBusConnection m_bus;
  QHash<QString, uint> m_numbers;  // of the messages on show
};

}  // namespace roadtune::studio
