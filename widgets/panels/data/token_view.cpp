// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/token_view.h"

#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr int kHeight = 34, kGap = 4;

// Blanks and line ends are tokens too, and must be seen.
QString shown(const ModelToken& token) {
  QString piece = token.piece;
  piece.replace(QChar(0x2581), QChar(0x00b7)).replace(QLatin1Char(' '), QChar(0x00b7));
  piece.replace(QLatin1Char('\n'), QChar(0x21b5));
  return token.times == 1 ? piece : QStringLiteral("%1 × %2").arg(piece).arg(token.times);
}

}  // namespace

TokenView::TokenView(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void TokenView::setTokens(const QList<ModelToken>& tokens) {
  m_tokens = tokens;
  setAccessibleDescription(text());
  setMinimumHeight(heightForWidth(width()));
  update();
}

QString TokenView::text() const {
  QStringList words;
  for (const ModelToken& token : m_tokens) words << shown(token) << QString::number(token.id);
  return words.join(QLatin1Char(' '));
}

QList<QRect> TokenView::places(int width) const {
  const QFontMetrics piece(codeFont()), number(secondaryFont());
  QList<QRect> all;
  QPoint at(0, 0);
  for (const ModelToken& token : m_tokens) {
    const int wide =
        10 + std::max(piece.horizontalAdvance(shown(token)), number.horizontalAdvance(QString::number(token.id)));
    if (at.x() > 0 && at.x() + wide > width) at = {0, at.y() + kHeight + kGap};
    all << QRect(at, QSize(wide, kHeight));
    at.rx() += wide + kGap;
  }
  return all;
}

int TokenView::heightForWidth(int width) const {
  const QList<QRect> all = places(width);
  return all.isEmpty() ? 0 : all.last().bottom() + 1;
}

void TokenView::resizeEvent(QResizeEvent*) { setMinimumHeight(heightForWidth(width())); }

void TokenView::paintEvent(QPaintEvent* event) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QList<QRect> all = places(width());
  for (qsizetype i = 0; i < all.size(); ++i) {
    if (!all[i].intersects(event->rect())) continue;
    const ModelToken& token = m_tokens[i];
    const bool taught = token.part == ModelToken::Part::Answer;
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(t.surface, taught ? t.accent : t.text, taught ? 0.16 : 0.06));
    painter.drawRoundedRect(all[i], 3, 3);
    painter.setFont(codeFont());
    painter.setPen(token.part == ModelToken::Part::Picture ? t.secondary : t.text);
    painter.drawText(all[i].adjusted(0, 2, 0, -15), Qt::AlignCenter, shown(token));
    painter.setFont(secondaryFont());
    painter.setPen(t.secondary);
    drawTabular(painter, all[i].adjusted(0, 17, 0, -1), Qt::AlignCenter, QString::number(token.id));
  }
}

}  // namespace roadtune::widgets
