// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/desktop_notices.h"

#include <QCoreApplication>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>

namespace roadtune::studio {
namespace {

constexpr auto kNoticeService = "org.freedesktop.Notifications";
constexpr auto kNoticePath = "/org/freedesktop/Notifications";
constexpr int kAsTheDesktopSays = -1;

}  // namespace

DesktopNotices::DesktopNotices(const QDBusConnection& bus, QObject* parent) : QObject(parent), m_bus(bus) {
  if (!m_bus.isConnected()) return;
  m_bus.connect({}, QLatin1String(kNoticePath), QLatin1String(kNoticeService), QStringLiteral("ActionInvoked"), this,
                SLOT(onAction(uint, QString)));
  m_bus.connect({}, QLatin1String(kNoticePath), QLatin1String(kNoticeService), QStringLiteral("NotificationClosed"),
                this, SLOT(onClosed(uint, uint)));
}

void DesktopNotices::tell(const QString& subject, const QString& title, const QString& text, bool urgent) {
  if (!m_bus.isConnected()) return;
  QDBusMessage call = QDBusMessage::createMethodCall(QLatin1String(kNoticeService), QLatin1String(kNoticePath),
                                                     QLatin1String(kNoticeService), QStringLiteral("Notify"));
  const QVariantMap hints = {{QStringLiteral("urgency"), QVariant::fromValue(static_cast<uchar>(urgent ? 2 : 1))},
                             {QStringLiteral("desktop-entry"), QStringLiteral("roadtune-studio")}};
  call.setArguments({QCoreApplication::applicationName(), m_numbers.value(subject), QStringLiteral("roadtune-studio"),
                     title, text.toHtmlEscaped(), QStringList{QStringLiteral("default"), tr("Show the run")}, hints,
                     kAsTheDesktopSays});
  auto* answer = new QDBusPendingCallWatcher(m_bus.asyncCall(call), this);
  connect(answer, &QDBusPendingCallWatcher::finished, this, [this, subject, answer] {
    const QDBusPendingReply<uint> number = *answer;
    if (number.isValid()) m_numbers[subject] = number.value();
    answer->deleteLater();
  });
}

void DesktopNotices::onAction(uint number, const QString& action) {
  const QString subject = m_numbers.key(number);
  if (!subject.isEmpty() && action == QLatin1String("default")) emit chosen(subject);
}

void DesktopNotices::onClosed(uint number, uint) {
  if (const QString subject = m_numbers.key(number); !subject.isEmpty()) m_numbers.remove(subject);
}

}  // namespace roadtune::studio
