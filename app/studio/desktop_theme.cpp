// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/desktop_theme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QDir>
#include <QPalette>
#include <QSettings>
#include <QStandardPaths>

namespace roadtune::studio {
namespace {

constexpr auto kService = "org.freedesktop.portal.Desktop";
constexpr auto kPath = "/org/freedesktop/portal/desktop";
constexpr auto kInterface = "org.freedesktop.portal.Settings";
constexpr auto kGroup = "org.freedesktop.appearance";
constexpr auto kKey = "color-scheme";
constexpr uint kPreferDark = 1;

bool guessFromFiles() {
  if (qEnvironmentVariable("GTK_THEME").endsWith(QLatin1String("dark"), Qt::CaseInsensitive)) return true;
  const QDir config(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation));
  const QSettings kde(config.filePath(QStringLiteral("kdeglobals")), QSettings::IniFormat);
  if (kde.value(QStringLiteral("General/ColorScheme")).toString().contains(QLatin1String("dark"), Qt::CaseInsensitive))
    return true;
  for (const char* folder : {"gtk-4.0", "gtk-3.0"}) {
    const QSettings gtk(config.filePath(QLatin1String(folder) + QStringLiteral("/settings.ini")), QSettings::IniFormat);
    if (gtk.value(QStringLiteral("Settings/gtk-application-prefer-dark-theme")).toString() == QLatin1String("1"))
      return true;
    if (gtk.value(QStringLiteral("Settings/gtk-application-prefer-dark-theme")).toString() == QLatin1String("true"))
      return true;
    if (gtk.value(QStringLiteral("Settings/gtk-theme-name"))
            .toString()
            .endsWith(QLatin1String("dark"), Qt::CaseInsensitive))
      return true;
  }
  return QApplication::palette().color(QPalette::Window).lightness() < 128;
}

uint schemeOf(QVariant value) {
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  return value.toUInt();
}

}  // namespace

DesktopTheme::DesktopTheme(QObject* parent) : QObject(parent), m_dark(guessFromFiles()) { askPortal(); }

void DesktopTheme::askPortal() {
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  bus.connect(QLatin1String(kService), QLatin1String(kPath), QLatin1String(kInterface),
              QStringLiteral("SettingChanged"), this, SLOT(onPortalSetting(QString, QString, QDBusVariant)));
  QDBusMessage call = QDBusMessage::createMethodCall(QLatin1String(kService), QLatin1String(kPath),
                                                     QLatin1String(kInterface), QStringLiteral("Read"));
  call << QLatin1String(kGroup) << QLatin1String(kKey);
  auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, 2000), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
    watcher->deleteLater();
    const QDBusPendingReply<QVariant> reply = *watcher;
    if (reply.isError()) return;
    if (const uint scheme = schemeOf(reply.value()); scheme != 0) set(scheme == kPreferDark);
  });
}

void DesktopTheme::onPortalSetting(const QString& group, const QString& key, const QDBusVariant& value) {
  if (group == QLatin1String(kGroup) && key == QLatin1String(kKey)) set(schemeOf(value.variant()) == kPreferDark);
}

void DesktopTheme::set(bool dark) {
  if (dark == m_dark) return;
  m_dark = dark;
  emit changed(dark);
}

}  // namespace roadtune::studio
