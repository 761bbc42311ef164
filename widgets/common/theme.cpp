// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/theme.h"

#include "widgets/common/studio_style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QToolTip>

namespace roadtune::widgets {
namespace {

QPalette paletteOf(const Tokens& t) {
  QPalette palette;
  const auto set = [&palette](QPalette::ColorRole role, const QColor& normal, const QColor& disabled) {
    palette.setColor(QPalette::Active, role, normal);
    palette.setColor(QPalette::Inactive, role, normal);
    palette.setColor(QPalette::Disabled, role, disabled);
  };
  set(QPalette::Window, t.window, t.window);
  set(QPalette::Base, t.surface, t.window);
  set(QPalette::AlternateBase, mixed(t.surface, t.text, 0.03), t.window);
  set(QPalette::Button, t.raised, t.window);
  set(QPalette::ToolTipBase, t.dark ? t.raised : t.text, t.raised);
  set(QPalette::ToolTipText, t.dark ? t.text : t.window, t.text);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) set(role, t.text, t.disabled);
  set(QPalette::PlaceholderText, t.secondary, t.disabled);
  set(QPalette::BrightText, t.bad, t.disabled);
  set(QPalette::Highlight, t.accent, t.line);
  set(QPalette::HighlightedText, t.onAccent, t.disabled);
  set(QPalette::Link, t.accent, t.disabled);
  set(QPalette::LinkVisited, t.warn, t.disabled);
  set(QPalette::Light, t.raised, t.raised);
  set(QPalette::Midlight, mixed(t.raised, t.line, 0.5), t.line);
  set(QPalette::Mid, t.line, t.line);
  set(QPalette::Dark, mixed(t.line, t.text, 0.2), t.line);
  set(QPalette::Shadow, t.dark ? QColor(Qt::black) : t.line, t.line);
  return palette;
}

QFont sized(int pixels, QFont::Weight weight = QFont::Normal) {
  QFont font = QApplication::font();
  font.setPixelSize(pixels);
  font.setWeight(weight);
  return font;
}

}  // namespace

Theme::Theme() : m_tokens(&lightTokens()) {}

Theme& Theme::instance() {
  static Theme theme;
  return theme;
}

void Theme::apply(ThemeChoice choice) {
  m_choice = choice;
  if (!m_installed) {
    m_installed = true;
    QApplication::setStyle(new StudioStyle);
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    if (QFontDatabase::hasFamily(QStringLiteral("Inter"))) font.setFamily(QStringLiteral("Inter"));
    font.setPixelSize(13);
    font.setHintingPreference(QFont::PreferVerticalHinting);
    QApplication::setFont(font);
  }
  refresh();
}

void Theme::setDesktopDark(bool dark) {
  m_desktopDark = dark;
  if (m_installed && m_choice == ThemeChoice::Desktop) refresh();
}

void Theme::refresh() {
  const bool dark = m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::Desktop && m_desktopDark);
  m_tokens = dark ? &darkTokens() : &lightTokens();
  const QPalette palette = paletteOf(*m_tokens);
  QApplication::setPalette(palette);
  QToolTip::setPalette(palette);
  QToolTip::setFont(secondaryFont());
  emit changed();
}

QFont baseFont() { return sized(13); }
QFont strongFont() { return sized(13, QFont::DemiBold); }
QFont secondaryFont() { return sized(11); }
QFont titleFont() { return sized(18, QFont::DemiBold); }

QFont codeFont() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPixelSize(11);
  return font;
}

}  // namespace roadtune::widgets
