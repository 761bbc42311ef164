// SPDX-License-Identifier: GPL-3.0-or-later
// Notifications of the desktop over a real message bus of the test's own, with somebody on it who shows them.
#include "app/studio/desktop_notices.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVirtualObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

namespace roadtune::testing {
namespace {

constexpr auto kService = "org.freedesktop.Notifications";
constexpr auto kPath = "/org/freedesktop/Notifications";

// What a desktop does with notifications, as its specification has it.
class Desktop : public QDBusVirtualObject {
 public:
  struct Shown {
    uint number = 0;
    QString title, text;
    QStringList actions;
    uint urgency = 0;
  };

  QString introspect(const QString&) const override { return {}; }
  bool handleMessage(const QDBusMessage& call, const QDBusConnection& bus) override {
    if (call.member() != QLatin1String("Notify")) return false;
    EXPECT_EQ(call.signature(), "susssasa{sv}i");
    const QVariantList words = call.arguments();
    const uint replaced = words.value(1).toUInt();
    const uint number = replaced != 0 ? replaced : ++m_last;
    const auto hints = qdbus_cast<QVariantMap>(words.value(6));
    shown.append(Shown{number, words.value(3).toString(), words.value(4).toString(), words.value(5).toStringList(),
                       hints.value("urgency").toUInt()});
    return bus.send(call.createReply(number));
  }

  QList<Shown> shown;

 private:
  uint m_last = 0;
};

struct NoticesTest : ::testing::Test {
  void SetUp() override {
    const QString program = QStandardPaths::findExecutable("dbus-daemon");
    if (program.isEmpty()) GTEST_SKIP() << "needs dbus-daemon";
    const QString address = QString::fromStdString("unix:path=" + (folder / "bus").string());
    bus.start(program, {"--session", "--nofork", "--nopidfile", "--print-address", "--address=" + address});
    ASSERT_TRUE(bus.waitForReadyRead(10'000)) << bus.readAllStandardError().toStdString();
    auto server = QDBusConnection::connectToBus(address, "desktop");
    ASSERT_TRUE(server.isConnected()) << server.lastError().message().toStdString();
    ASSERT_TRUE(server.registerVirtualObject(kPath, &desktop));
    ASSERT_TRUE(server.registerService(kService));
    notices = std::make_unique<studio::DesktopNotices>(QDBusConnection::connectToBus(address, "studio"));
    QObject::connect(notices.get(), &studio::DesktopNotices::chosen, [this](const QString& it) { chosen << it; });
  }
  void TearDown() override {
    notices.reset();
    QDBusConnection::disconnectFromBus("studio");
    QDBusConnection::disconnectFromBus("desktop");
    bus.kill();
    bus.waitForFinished(5000);
  }
  void say(const char* name, const QVariantList& words) const {
    QDBusMessage signal = QDBusMessage::createSignal(kPath, kService, name);
    signal.setArguments(words);
    QDBusConnection("desktop").send(signal);
  }

  TempFolder folder;
  QProcess bus;
  Desktop desktop;
  std::unique_ptr<studio::DesktopNotices> notices;
  QStringList chosen;
};

TEST_F(NoticesTest, AMessageNamesTheRunAndLeadsToIt) {
  notices->tell("/runs/one", "one: The loss was not a number", "at step 57 & later", true);
  ASSERT_TRUE(QTest::qWaitFor([&] { return desktop.shown.size() == 1; }));
  const auto& first = desktop.shown[0];
  EXPECT_EQ(first.title, "one: The loss was not a number");
  EXPECT_EQ(first.text, "at step 57 &amp; later") << "desktops read the text as markup";
  EXPECT_EQ(first.actions, QStringList({"default", "Show the run"}));
  EXPECT_EQ(first.urgency, 2u);
  QTest::qWait(50);  // the answer with its number

  notices->tell("/runs/two", "two: finished", {}, false);
  notices->tell("/runs/one", "one: failed", {}, true);
  ASSERT_TRUE(QTest::qWaitFor([&] { return desktop.shown.size() == 3; }));
  EXPECT_EQ(desktop.shown[1].number, 2u);
  EXPECT_EQ(desktop.shown[2].number, 1u) << "the newer one about a run takes the place of the older";
  QTest::qWait(50);

  say("ActionInvoked", {2u, "default"});
  say("ActionInvoked", {77u, "default"});  // of another program
  ASSERT_TRUE(QTest::qWaitFor([&] { return !chosen.isEmpty(); }));
  EXPECT_EQ(chosen, QStringList("/runs/two"));

  say("NotificationClosed", {1u, 2u});
  QTest::qWait(50);
  notices->tell("/runs/one", "one: finished", {}, false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return desktop.shown.size() == 4; }));
  EXPECT_EQ(desktop.shown[3].number, 3u) << "a closed message does not come back";
}

TEST(Notices, WithoutABusNothingHappens) {
  studio::DesktopNotices notices(QDBusConnection::connectToBus("unix:path=/nowhere/at/all", "none"));
  notices.tell("/runs/one", "one", {}, true);
  QDBusConnection::disconnectFromBus("none");
}

}  // namespace
}  // namespace roadtune::testing
