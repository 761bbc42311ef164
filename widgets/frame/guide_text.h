// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QVector>

class QTextBlock;
class QTextDocument;

namespace roadtune::widgets {

// A page of the guide that is compiled in, as the list of pages shows it.
struct GuidePage {
  QString title;
  QString file;  // ":/guide/guide/data.md"
};

// In the order in which the first page names them.
QVector<GuidePage> guidePages();

// The Markdown of a page. A link to what is not compiled in is plain text.
QString guideText(const QString& file);

// The words of a page without its marks, to look for others in them.
QString guideWords(const QString& file);

// In the colours and sizes of the theme.
void dressGuide(QTextDocument& document);

// The heading that "#model-and-data" means; not valid where there is none.
QTextBlock guideHeading(const QTextDocument& document, const QString& fragment);

}  // namespace roadtune::widgets
