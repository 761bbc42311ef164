// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <vector>

namespace roadtune::widgets {

// Sentences with places, as a text is told from them. The one with the most words of its own is taken; what stood in a
// place may be a sentence itself, but never more than one. What no pattern fits is taken apart at "; " and ", ".
class ToldPatterns {
 public:
  enum class Numbers { AllInTheLanguage, OnlyWithUnits };  // versions are numbers, too: "2.36"

  template <std::size_t kCount>
  ToldPatterns(const char* context, const char* const (&english)[kCount], Numbers numbers)
      : m_context(context), m_numbers(numbers) {
    for (const char* one : english) add(one);
    sort();
  }
  QString translate(const QString& english) const;

 private:
  struct Pattern {
    const char* english;
    QRegularExpression shape;
    QList<int> places;  // which place each of its groups is
    qsizetype words = 0;
  };
  void add(const char* english);
  void sort();
  QString pieces(const QString& english, const QString& mark) const;
  QString number(const QString& english) const;
  const char* m_context;
  Numbers m_numbers;
  std::vector<Pattern> m_patterns;
};

}  // namespace roadtune::widgets
