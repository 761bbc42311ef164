// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/common/line_prompt.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QContextMenuEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QUrl>

#include <filesystem>
#include <functional>

namespace roadtune::testing {

inline constexpr int kMenuMs = 5000;

// Whatever `open` does brings a menu up; then the entry that holds `words` is clicked, as it can be read there. Menus
// wait in a loop of their own, so the click comes from a timer.
inline void chooseInMenu(const std::function<void()>& open, const QString& words) {
  bool done = false;
  QStringList seen;
  QTimer look;
  QObject::connect(&look, &QTimer::timeout, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (!menu) return;
    seen.clear();
    for (QAction* action : menu->actions()) {
      seen << action->text();
      if (!action->text().contains(words) || !action->isEnabled()) continue;
      look.stop();
      done = true;
      QTest::mouseMove(menu, menu->actionGeometry(action).center());
      return QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    }
  });
  QTimer limit;  // no test hangs in a menu that lacks the entry
  limit.setSingleShot(true);
  QObject::connect(&limit, &QTimer::timeout, [&] {
    look.stop();
    if (QWidget* menu = QApplication::activePopupWidget()) menu->close();
  });
  look.start(20);
  limit.start(kMenuMs);
  open();
  EXPECT_TRUE(QTest::qWaitFor([&] { return done || !limit.isActive(); }, kMenuMs + 1000));
  EXPECT_TRUE(done) << "no entry '" << words.toStdString() << "' among " << seen.join(" | ").toStdString();
}

inline void openMenuByKey(QWidget* on) {
  QContextMenuEvent key(QContextMenuEvent::Keyboard, on->rect().center(), on->mapToGlobal(on->rect().center()));
  QApplication::sendEvent(on, &key);
}

// A file or folder from elsewhere falls on the middle of a widget.
inline void dropOn(QWidget* on, const std::filesystem::path& path) {
  QMimeData mime;
  mime.setUrls({QUrl::fromLocalFile(QString::fromStdString(path.string()))});
  const QPoint middle = on->rect().center();
  QDragEnterEvent enter(middle, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(on, &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(middle, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(on, &drop);
}

// Opens the menu of a button by mouse.
inline void chooseFrom(QToolButton* button, const QString& words) {
  ASSERT_NE(button, nullptr);
  ASSERT_TRUE(button->isVisible() && QTest::qWaitFor([button] { return button->isEnabled(); }))
      << button->objectName().toStdString();
  chooseInMenu([button] { QTest::mouseClick(button, Qt::LeftButton); }, words);
  button->window()->activateWindow();  // the menu was a window of its own: keys would go nowhere
  ASSERT_TRUE(QTest::qWaitForWindowActive(button->window()));
}

// The small field of that name that asks for one line, where it is on show.
inline widgets::LinePrompt* promptOf(const QWidget* window, const char* name) {
  for (auto* prompt : window->findChildren<widgets::LinePrompt*>(QLatin1String(name)))
    if (prompt->isVisible()) return prompt;
  return nullptr;
}

// Types into it, and confirms with Enter.
inline void answerPrompt(const QWidget* window, const char* name, const QString& words) {
  auto* prompt = promptOf(window, name);
  ASSERT_NE(prompt, nullptr) << name;
  auto* field = prompt->findChild<QLineEdit*>("promptEdit");
  field->selectAll();
  QTest::keyClicks(field, words);
  QTest::keyClick(field, Qt::Key_Return);
}

}  // namespace roadtune::testing
