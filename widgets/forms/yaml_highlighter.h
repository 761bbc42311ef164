// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSyntaxHighlighter>

namespace roadtune::widgets {

// Keys, comments and values of a configuration in quiet colours; follows the theme.
class YamlHighlighter : public QSyntaxHighlighter {
  Q_OBJECT
 public:
  explicit YamlHighlighter(QTextDocument* document);

 protected:
  void highlightBlock(const QString& text) override;
};

}  // namespace roadtune::widgets
