// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/common/tokens.h"

#include <QFont>
#include <QObject>

namespace roadtune::widgets {

enum class ThemeChoice { Desktop, Light, Dark };

// The look of the application: style, palette and fonts, light or dark. UI thread only.
class Theme : public QObject {
  Q_OBJECT
 public:
  static Theme& instance();
  static const Tokens& tokens() { return *instance().m_tokens; }

  // Puts style, font and palette on the application. Call once before the first window, then with every change.
  void apply(ThemeChoice choice);
  ThemeChoice choice() const { return m_choice; }

  // What the desktop asks for; used while the choice is Desktop.
  void setDesktopDark(bool dark);

 signals:
  void changed();

 private:
  Theme();
  void refresh();
  ThemeChoice m_choice = ThemeChoice::Desktop;
  bool m_desktopDark = false;
  bool m_installed = false;
  const Tokens* m_tokens;
};

// The three sizes of a page, and the fixed-width face for logs and YAML.
QFont baseFont();
QFont strongFont();
QFont secondaryFont();
QFont titleFont();
QFont codeFont();

}  // namespace roadtune::widgets
