// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace roadtune::widgets {

// Sentences with places, as a text is told from them. The one with the most words of its own is taken; what stood in a
// place may be a sentence itself, but never more than one. What no pattern fits is taken apart at "; " and ", ".
class ToldPatterns {
 public:
  enum class Numbers { AllInTheLanguage, OnlyWithUnits };  // versions are numbers, too: "2.36"
  // What core says for those who know its insides, and what the window says in its place.
  struct Reworded {
    const char* core;
    const char* window;
  };

  template <std::size_t kCount>
  ToldPatterns(const char* context, const char* const (&english)[kCount], Numbers numbers)
      : m_context(context), m_numbers(numbers) {
    for (const char* one : english) add(one, one);
    sort();
  }
  template <std::size_t kCount, std::size_t kOthers>
  ToldPatterns(const char* context, const char* const (&english)[kCount], const Reworded (&others)[kOthers],
               Numbers numbers)
      : ToldPatterns(context, english, numbers) {
    for (const Reworded& one : others) add(one.core, one.window);
    sort();
  }
  QString translate(const QString& english) const;
  // Of a sentence that a pattern fits as a whole; nothing of any other.
  std::optional<QString> whole(const QString& english) const;

 private:
  struct Pattern {
    const char* window;
    QRegularExpression shape;
    QList<int> places;  // which place each of its groups is
    qsizetype words = 0;
  };
  void add(const char* core, const char* window);
  void sort();
  QString pieces(const QString& english, const QString& mark) const;
  QString number(const QString& english) const;
  const char* m_context;
  Numbers m_numbers;
  std::vector<Pattern> m_patterns;
};

}  // namespace roadtune::widgets
