// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

#include <algorithm>

namespace roadtune::studio {

const std::array<Language, 2>& languages() {
  static constexpr std::array<Language, 2> kAll = {{{"en", "English"}, {"de", "Deutsch"}}};
  return kAll;
}

bool isLanguage(const QString& code) {
  return std::any_of(languages().begin(), languages().end(),
                     [&](const Language& one) { return code == QLatin1String(one.code); });
}

QString desktopLanguage() {
  for (const QString& wanted : QLocale::system().uiLanguages()) {
    const QString code = wanted.section(QLatin1Char('-'), 0, 0);  // "de-AT" -> "de"
    if (isLanguage(code)) return code;
  }
  return QStringLiteral("en");
}

Translation::Translation(const QString& code) : m_language(isLanguage(code) ? code : desktopLanguage()) {
  QLocale::setDefault(QLocale(m_language));
  if (m_language == QLatin1String("en")) return;
  // Qt's words come with the system where it has them; those built in are for a system that does not.
  const QString ofQt = QStringLiteral("qtbase_") + m_language;
  if (m_ofQt.load(ofQt, QLibraryInfo::path(QLibraryInfo::TranslationsPath)) ||
      m_ofQt.load(ofQt, QStringLiteral(":/translations")))
    QCoreApplication::installTranslator(&m_ofQt);
  if (m_ours.load(QStringLiteral("roadtune_") + m_language, QStringLiteral(":/translations")))
    QCoreApplication::installTranslator(&m_ours);
}

// Each takes itself out; a translator that was never installed is no one's.
Translation::~Translation() {
  QCoreApplication::removeTranslator(&m_ours);
  QCoreApplication::removeTranslator(&m_ofQt);
}

}  // namespace roadtune::studio
