// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/run_row_delegate.h"

#include "core/runs/run_facts.h"
#include "widgets/common/icons.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"
#include "widgets/models/run_list_model.h"

#include <QApplication>
#include <QPainter>
#include <QtMath>

namespace roadtune::widgets {

void paintStateMark(QPainter& painter, const QRectF& rect, int state, bool paused, bool warn) {
  const Tokens& t = Theme::tokens();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  const QPointF c = rect.center();
  const auto stroke = [&](const QColor& colour) {
    painter.setPen(QPen(colour, 1.75, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  };
  switch (static_cast<runs::RunState>(state)) {
    case runs::RunState::Running:
      painter.setBrush(paused || warn ? t.warn : t.good);
      if (!paused) painter.drawEllipse(c, 4, 4);
      for (const double x : {-4.0, 1.0})
        if (paused) painter.drawRoundedRect(QRectF(c.x() + x, c.y() - 4, 3, 8), 1, 1);
      break;
    case runs::RunState::Finished:
      stroke(warn ? t.warn : t.good);
      painter.drawPolyline(QPolygonF({c + QPointF(-4, 0.5), c + QPointF(-1, 3.5), c + QPointF(4.5, -3)}));
      break;
    case runs::RunState::Stopped:
      painter.setBrush(t.secondary);
      painter.drawRoundedRect(QRectF(c.x() - 3.5, c.y() - 3.5, 7, 7), 1, 1);
      break;
    case runs::RunState::Failed:
      stroke(t.bad);
      painter.drawLine(c + QPointF(-3.5, -3.5), c + QPointF(3.5, 3.5));
      painter.drawLine(c + QPointF(-3.5, 3.5), c + QPointF(3.5, -3.5));
      break;
    case runs::RunState::Lost:
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(t.warn, 1.75, Qt::DotLine));
      painter.drawEllipse(c, 4, 4);
      break;
    case runs::RunState::Created:
      painter.setBrush(Qt::NoBrush);
      stroke(t.secondary);
      painter.drawEllipse(c, 3.5, 3.5);
      break;
  }
  painter.restore();
}

namespace {

// A check in the colour of the run's curves: it is drawn with others.
void paintBeside(QPainter& painter, const QRectF& rect, const QColor& colour) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(rect, 3, 3);
  painter.setPen(
      QPen(colour.lightnessF() > 0.6 ? Qt::black : Qt::white, 1.75, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  const QPointF c = rect.center();
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(QPolygonF({c + QPointF(-3.5, 0.5), c + QPointF(-1, 3), c + QPointF(4, -2.5)}));
  painter.restore();
}

// The longest that has room.
QString fitting(const QStringList& longestFirst, int room) {
  for (const QString& one : longestFirst)
    if (tabularWidth(secondaryFont(), one) <= room) return one;
  return QFontMetrics(secondaryFont()).elidedText(longestFirst.value(longestFirst.size() - 1), Qt::ElideRight, room);
}

}  // namespace

void paintRowGround(QPainter& painter, const QStyleOptionViewItem& option) {
  const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, &painter, option.widget);
  const QRect r = option.rect;
  if (option.state & QStyle::State_Selected)
    painter.fillRect(QRect(r.left(), r.top(), 2, r.height()), Theme::tokens().accent);
}

void RunRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem own(option);
  initStyleOption(&own, index);
  paintRowGround(*painter, own);
  const Tokens& t = Theme::tokens();
  const QRect r = option.rect;
  painter->save();
  if (own.state.testFlag(QStyle::State_HasFocus) && !own.state.testFlag(QStyle::State_Selected)) {
    painter->setPen(t.accent);  // the cursor, away from the run on show
    painter->drawRect(r.adjusted(1, 1, -2, -2));
  }
  if (const auto colour = index.data(RunListModel::BesideRole).value<QColor>(); colour.isValid())
    paintBeside(*painter, QRectF(r.left() + 10, r.top() + 24, 14, 14), colour);
  paintStateMark(*painter, QRectF(r.left() + 10, r.top() + 7, 14, 14), index.data(RunListModel::StateRole).toInt(),
                 index.data(RunListModel::PausedRole).toBool(), index.data(RunListModel::WarnRole).toBool());
  const bool warn = index.data(RunListModel::WarnRole).toBool();
  const bool pinned = index.data(RunListModel::PinnedRole).toBool();
  const auto chosen = index.data(RunListModel::ColourRole).value<QColor>();
  const int marks = (pinned ? 20 : 0) + (chosen.isValid() ? 16 : 0);
  const int name = r.width() - 42 - marks - (warn ? 20 : 0);
  const QRect text = r.adjusted(32, 5, -10, -5);
  painter->setFont(option.font);
  painter->setPen(t.text);
  painter->drawText(QRect(text.left(), text.top(), name, 18), Qt::AlignVCenter,
                    option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, name));
  painter->setFont(secondaryFont());
  painter->setPen(t.secondary);
  const QRect below(text.left(), text.top() + 18, text.width(), 16);
  const QString age = index.data(RunListModel::AgeRole).toString();
  drawTabular(*painter, below, Qt::AlignRight, age);
  const int aged = age.isEmpty() ? 0 : qCeil(tabularWidth(painter->font(), age)) + 8;
  const QRect rest = below.adjusted(0, 0, -aged, 0);
  const int room = rest.width() - paintTags(*painter, rest, index.data(RunListModel::TagsRole).toStringList());
  painter->setPen(t.secondary);
  const QString detail = fitting(index.data(RunListModel::DetailsRole).toStringList(), room);
  drawTabular(*painter, QRectF(below.left(), below.top(), room, below.height()), Qt::AlignLeft, detail);
  if (chosen.isValid()) {
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(chosen);
    painter->drawRoundedRect(QRect(r.right() - 20 - (pinned ? 18 : 0), r.top() + 10, 10, 10), 2, 2);
  }
  const auto mark = [&](const char* which, int right, const QColor& colour) {
    painter->drawPixmap(r.right() - right, r.top() + 8,
                        iconPixmap(QLatin1String(which), 14, colour, painter->device()->devicePixelRatioF()));
  };
  if (pinned) mark("pin", 24, t.secondary);
  if (warn) mark("warning", 24 + marks, t.warn);
  painter->restore();
}

int RunRowDelegate::paintTags(QPainter& painter, const QRect& line, const QStringList& tags) const {
  const Tokens& t = Theme::tokens();
  const QFontMetrics metrics(secondaryFont());
  int right = line.right(), used = 0;
  for (const QString& tag : tags) {
    const int width = std::min(metrics.horizontalAdvance(tag), 84) + 10;
    if (used + width > line.width() / 2) break;
    const QRect chip(right - width, line.top(), width, line.height());
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(t.surface, t.accent, 0.16));
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(t.text);
    painter.drawText(chip, Qt::AlignCenter, metrics.elidedText(tag, Qt::ElideRight, width - 8));
    right -= width + 4;
    used += width + 4;
  }
  return used;
}

QSize RunRowDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {200, 44}; }

}  // namespace roadtune::widgets
