// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QTranslator>

#include <array>

namespace roadtune::studio {

// A language of the window, by its code ("de") and by its own name ("Deutsch").
struct Language {
  const char* code;
  const char* name;
};
const std::array<Language, 2>& languages();  // English, in which the sources are written, comes first
bool isLanguage(const QString& code);

// The first of the desktop's languages that the studio speaks; English when there is none.
QString desktopLanguage();

// Makes the program speak a language, Qt's own words included, for as long as this lives. Texts that are already on
// show stay as they are, so it is made before the window. UI thread only.
class Translation {
 public:
  explicit Translation(const QString& code);  // empty: as the desktop
  ~Translation();
  Translation(const Translation&) = delete;
  Translation& operator=(const Translation&) = delete;

  const QString& language() const { return m_language; }

 private:
  QString m_language;
  QTranslator m_ours, m_ofQt;
};

}  // namespace roadtune::studio
