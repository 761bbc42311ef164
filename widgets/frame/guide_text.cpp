// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/guide_text.h"

#include "widgets/common/theme.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>

#include <utility>
#include <vector>

namespace roadtune::widgets {
namespace {

constexpr const char* kFirst = ":/guide/guide/README.md";
constexpr int kPageMargin = 24, kCell = 6, kAbove = 18, kBelow = 8, kSecondHeading = 15;
constexpr double kLineHeight = 140;  // percent

QString readAll(const QString& file) {
  QFile page(file);
  return page.open(QIODevice::ReadOnly) ? QString::fromUtf8(page.readAll()) : QString();
}

const QRegularExpression& links() {
  static const QRegularExpression all(QStringLiteral(R"(\[([^\]\n]*)\]\(([^)\s]+)\))"));
  return all;
}

QString targetOf(const QString& file, const QString& link) {
  return QDir::cleanPath(QFileInfo(file).path() + QLatin1Char('/') + link.section(QLatin1Char('#'), 0, 0));
}

bool leadsSomewhere(const QString& file, const QString& link) {
  return link.startsWith(QLatin1Char('#')) || link.contains(QLatin1String("://")) ||
         QFile::exists(targetOf(file, link));
}

bool isCode(const QTextBlock& block) {
  return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence) ||
         block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

// As the site of the sources names it: "Model and data" is "model-and-data".
QString anchorOf(const QString& heading) {
  QString anchor;
  for (const QChar letter : heading.toLower()) {
    if (letter.isLetterOrNumber() || letter == QLatin1Char('-') || letter == QLatin1Char('_')) anchor += letter;
    if (letter == QLatin1Char(' ')) anchor += QLatin1Char('-');
  }
  return anchor;
}

void dressHeading(QTextCursor& cursor, int level) {
  QTextBlockFormat lines;
  lines.setTopMargin(level == 1 ? 0 : kAbove);
  lines.setBottomMargin(kBelow);
  cursor.mergeBlockFormat(lines);
  QTextCharFormat letters;
  QFont font = level == 1 ? titleFont() : strongFont();
  if (level == 2) font.setPixelSize(kSecondHeading);
  letters.setFont(font);
  cursor.setCharFormat(letters);
}

void dressCode(QTextCursor& cursor, const QTextBlock& block) {
  QTextBlockFormat lines;
  lines.setBackground(Theme::tokens().window);
  lines.setTopMargin(0);
  lines.setBottomMargin(isCode(block.next()) ? 0 : kBelow);
  cursor.mergeBlockFormat(lines);
  QTextCharFormat letters;
  letters.setFont(codeFont());
  cursor.mergeCharFormat(letters);
}

void dressParagraph(QTextCursor& cursor, const QTextBlock& block) {
  QTextBlockFormat lines;
  lines.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
  if (!cursor.currentTable()) lines.setBottomMargin(block.textList() ? kBelow / 2 : kBelow);
  cursor.mergeBlockFormat(lines);
  std::vector<std::pair<int, int>> code;  // from, to; a change may join parts, so they are listed before
  for (auto part = block.begin(); !part.atEnd(); ++part)
    if (const QTextFragment words = part.fragment(); words.charFormat().fontFixedPitch())
      code.emplace_back(words.position(), words.position() + words.length());
  for (const auto& [from, to] : code) {
    QTextCursor one(cursor);
    one.setPosition(from);
    one.setPosition(to, QTextCursor::KeepAnchor);
    QTextCharFormat letters;
    letters.setFontFamilies({codeFont().family()});
    letters.setProperty(QTextFormat::FontPixelSize, codeFont().pixelSize() + 1);
    one.mergeCharFormat(letters);
  }
}

}  // namespace

QVector<GuidePage> guidePages() {
  const QString first = QString::fromLatin1(kFirst);
  QVector<GuidePage> pages{{QCoreApplication::translate("GuideWindow", "Contents"), first}};
  for (auto found = links().globalMatch(readAll(first)); found.hasNext();) {
    const auto link = found.next();
    const QString file = targetOf(first, link.captured(2));
    QString title = link.captured(1);
    if (QFile::exists(file)) pages.push_back({title.replace(0, 1, title.left(1).toUpper()), file});
  }
  return pages;
}

QString guideText(const QString& file) {
  const QString whole = readAll(file);
  QString text;
  qsizetype at = 0;
  for (auto found = links().globalMatch(whole); found.hasNext();) {
    const auto link = found.next();
    if (leadsSomewhere(file, link.captured(2))) continue;
    text += whole.mid(at, link.capturedStart() - at) + link.captured(1);
    at = link.capturedEnd();
  }
  return text + whole.mid(at);
}

QString guideWords(const QString& file) {
  return readAll(file).replace(links(), QStringLiteral("\\1")).remove(QLatin1Char('`')).remove(QStringLiteral("**"));
}

void dressGuide(QTextDocument& document) {
  document.setDocumentMargin(kPageMargin);
  QTextCursor cursor(&document);
  cursor.beginEditBlock();
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    cursor.setPosition(block.position());
    cursor.setPosition(block.position() + block.length() - 1, QTextCursor::KeepAnchor);
    if (const int level = block.blockFormat().headingLevel())
      dressHeading(cursor, level);
    else
      isCode(block) ? dressCode(cursor, block) : dressParagraph(cursor, block);
  }
  for (QTextFrame* frame : document.rootFrame()->childFrames()) {
    auto* table = qobject_cast<QTextTable*>(frame);
    if (!table) continue;
    QTextTableFormat format = table->format();
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(Theme::tokens().line);
    format.setBorderCollapse(true);
    format.setCellSpacing(0);
    format.setCellPadding(kCell);
    format.setTopMargin(kBelow);
    format.setBottomMargin(kAbove);
    table->setFormat(format);
  }
  cursor.endEditBlock();
}

QTextBlock guideHeading(const QTextDocument& document, const QString& fragment) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    if (block.blockFormat().headingLevel() > 0 && anchorOf(block.text()) == fragment) return block;
  return {};
}

}  // namespace roadtune::widgets
