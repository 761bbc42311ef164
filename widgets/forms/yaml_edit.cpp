// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/yaml_edit.h"

#include "widgets/common/theme.h"
#include "widgets/common/undo_keys.h"
#include "widgets/forms/field_text.h"
#include "widgets/forms/yaml_highlighter.h"

#include <QHelpEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>

namespace roadtune::widgets {

YamlEdit::YamlEdit(QWidget* parent) : QPlainTextEdit(parent) {
  setObjectName(QStringLiteral("yamlEdit"));
  setAccessibleName(tr("Configuration as text"));
  setFont(codeFont());
  setFrameShape(QFrame::NoFrame);
  setUndoRedoEnabled(false);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setTabChangesFocus(true);
  document()->setDocumentMargin(12);
  new YamlHighlighter(document());
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    if (!m_setting) emit textEdited(toPlainText());
  });
}

void YamlEdit::setYaml(const QString& text) {
  if (text == toPlainText()) return;
  const int at = textCursor().position(), down = verticalScrollBar()->value();
  m_setting = true;
  setPlainText(text);
  m_setting = false;
  QTextCursor cursor = textCursor();
  cursor.setPosition(std::min<int>(at, static_cast<int>(text.size())));
  setTextCursor(cursor);
  verticalScrollBar()->setValue(down);
}

void YamlEdit::setProblems(const std::vector<config::Problem>& problems) {
  m_problems = problems;
  QList<QTextEdit::ExtraSelection> marks;
  for (const config::Problem& problem : m_problems) {
    const QTextBlock block = document()->findBlockByNumber(problem.line - 1);
    if (problem.line < 1 || !block.isValid()) continue;
    QTextEdit::ExtraSelection mark;
    const bool error = problem.severity == config::Severity::Error;
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(error ? Theme::tokens().bad : Theme::tokens().warn);
    mark.cursor = QTextCursor(block);
    const int from = std::clamp(problem.column - 1, 0, block.length() - 1);
    mark.cursor.setPosition(block.position() + from);
    mark.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    marks << mark;
  }
  setExtraSelections(marks);
  viewport()->update();
}

void YamlEdit::goToKey(const QString& key) {
  const QRegularExpression line(QStringLiteral("^\\s*%1\\s*:").arg(QRegularExpression::escape(key)));
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    if (!line.match(block.text()).hasMatch()) continue;
    setTextCursor(QTextCursor(block));
    centerCursor();
    break;
  }
  setFocus();
}

void YamlEdit::goToLine(int line) {
  const QTextBlock block = document()->findBlockByNumber(line - 1);
  if (!block.isValid()) return;
  setTextCursor(QTextCursor(block));
  centerCursor();
}

bool YamlEdit::event(QEvent* event) {
  if (leftToWindow(event)) return true;
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int line = cursorForPosition(viewport()->mapFromGlobal(help->globalPos())).blockNumber() + 1;
    QStringList texts;
    for (const config::Problem& problem : m_problems) {
      if (problem.line == line) texts << problemText(problem);
    }
    texts.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), texts.join(QLatin1Char('\n')), this);
    return true;
  }
  return QPlainTextEdit::event(event);
}

void YamlEdit::paintEvent(QPaintEvent* event) {
  QPlainTextEdit::paintEvent(event);
  QPainter painter(viewport());
  for (const config::Problem& problem : m_problems) {
    const QTextBlock block = document()->findBlockByNumber(problem.line - 1);
    if (problem.line < 1 || !block.isValid() || !block.isVisible()) continue;
    const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
    painter.fillRect(QRectF(0, area.top() + 1, 3, area.height() - 2),
                     problem.severity == config::Severity::Error ? Theme::tokens().bad : Theme::tokens().warn);
  }
}

}  // namespace roadtune::widgets
