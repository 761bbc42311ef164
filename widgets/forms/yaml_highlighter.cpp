// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/yaml_highlighter.h"

#include "widgets/common/theme.h"

#include <QRegularExpression>

namespace roadtune::widgets {

YamlHighlighter::YamlHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
  connect(&Theme::instance(), &Theme::changed, this, &QSyntaxHighlighter::rehighlight);
}

void YamlHighlighter::highlightBlock(const QString& text) {
  const Tokens& t = Theme::tokens();
  // A comment begins at the line's start or after a space, outside quotes.
  qsizetype end = text.size();
  bool single = false, twofold = false;
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] == QLatin1Char('\'') && !twofold) single = !single;
    if (text[i] == QLatin1Char('"') && !single) twofold = !twofold;
    if (text[i] == QLatin1Char('#') && !single && !twofold && (i == 0 || text[i - 1].isSpace())) {
      end = i;
      break;
    }
  }
  if (end < text.size()) setFormat(static_cast<int>(end), static_cast<int>(text.size() - end), t.secondary);
  static const QRegularExpression kKey(QStringLiteral("^(\\s*(?:- )?)([^\\s#:][^:#]*)(:)(?=\\s|$)"));
  if (const auto match = kKey.match(text); match.hasMatch() && match.capturedEnd(3) <= end) {
    setFormat(static_cast<int>(match.capturedStart(2)), static_cast<int>(match.capturedLength(2)), t.accent);
  }
}

}  // namespace roadtune::widgets
