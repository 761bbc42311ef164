// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/style_paint.h"

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>
#include <QWidget>

namespace roadtune::widgets::paint {
namespace {

bool has(const QStyleOption& option, QStyle::StateFlag flag) { return option.state.testFlag(flag); }
bool property(const QWidget* widget, const char* name) { return widget && widget->property(name).toBool(); }

void rounded(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& border, qreal width = 1) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(border.isValid() ? QPen(border, width) : QPen(Qt::NoPen));
  painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  const qreal inset = border.isValid() ? width / 2 : 0;
  painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), metrics::kRadius, metrics::kRadius);
  painter.restore();
}

void focusRing(const QStyleOption& option, QPainter& painter) {
  if (has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange)) {
    rounded(painter, QRectF(option.rect), {}, Theme::tokens().accent, 2);
  }
}

void glyph(QPainter& painter, const char* name, const QRect& rect, int size, const QColor& colour) {
  const qreal scale = painter.device()->devicePixelRatioF();
  painter.drawPixmap(rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2,
                     iconPixmap(QLatin1String(name), size, colour, scale));
}

QColor glyphColour(const QStyleOption& option) {
  return has(option, QStyle::State_Enabled) ? Theme::tokens().secondary : Theme::tokens().disabled;
}

}  // namespace

void button(const QStyleOption& option, QPainter& painter, const QWidget* widget) {
  const Tokens& t = Theme::tokens();
  const bool enabled = has(option, QStyle::State_Enabled);
  const bool down = has(option, QStyle::State_Sunken) || has(option, QStyle::State_On);
  const bool hover = enabled && has(option, QStyle::State_MouseOver);
  if (property(widget, "primary") && enabled) {
    const QColor fill = down ? mixed(t.accent, t.text, 0.2) : hover ? mixed(t.accent, t.text, 0.1) : t.accent;
    rounded(painter, QRectF(option.rect), fill, {});
    if (has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange)) {
      rounded(painter, QRectF(option.rect).adjusted(2, 2, -2, -2), {}, t.onAccent, 1);
    }
    return;
  }
  if (property(widget, "quiet") && !hover && !down) return focusRing(option, painter);
  const QColor base = enabled ? t.raised : t.window;
  const QColor fill = down ? mixed(base, t.text, 0.12) : hover ? mixed(base, t.text, 0.06) : base;
  rounded(painter, QRectF(option.rect), fill, t.line);
  focusRing(option, painter);
}

void toolButton(const QStyleOption& option, QPainter& painter, const QWidget* widget) {
  const Tokens& t = Theme::tokens();
  if (property(widget, "chip")) rounded(painter, QRectF(option.rect), mixed(t.surface, t.accent, 0.16), {});
  const bool hover = has(option, QStyle::State_Enabled) && has(option, QStyle::State_MouseOver);
  const bool down = has(option, QStyle::State_Sunken);
  const bool on = has(option, QStyle::State_On);
  if (on || hover || down) {
    QColor fill = on ? t.accent : t.text;
    fill.setAlphaF(on ? 0.14 : down ? 0.14 : 0.07);
    rounded(painter, QRectF(option.rect), fill, {});
  }
  focusRing(option, painter);
}

void toolButtonWhole(const QStyleOptionToolButton& option, QPainter& painter, const QWidget* widget,
                     const QStyle& style) {
  toolButton(option, painter, widget);
  QStyleOptionToolButton label(option);
  const bool menu =
      option.features.testFlag(QStyleOptionToolButton::HasMenu) && option.toolButtonStyle != Qt::ToolButtonIconOnly;
  label.features &= ~(QStyleOptionToolButton::HasMenu | QStyleOptionToolButton::Menu);
  if (menu) label.rect.adjust(0, 0, -14, 0);
  style.drawControl(QStyle::CE_ToolButtonLabel, &label, &painter, widget);
  if (menu)
    glyph(painter, "chevron-down", QRect(option.rect.right() - 18, option.rect.top(), 14, option.rect.height()), 10,
          glyphColour(option));
}

void field(const QStyleOption& option, QPainter& painter, const QWidget* widget) {
  const Tokens& t = Theme::tokens();
  const bool enabled = has(option, QStyle::State_Enabled);
  const bool focus = has(option, QStyle::State_HasFocus);
  const QColor border = property(widget, "invalid") ? t.bad : focus && enabled ? t.accent : t.line;
  rounded(painter, QRectF(option.rect), enabled ? t.surface : t.window, border, focus ? 1.5 : 1);
}

void checkBox(const QStyleOption& option, QPainter& painter) {
  const Tokens& t = Theme::tokens();
  const bool enabled = has(option, QStyle::State_Enabled);
  const QRectF box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
  const bool filled = has(option, QStyle::State_On) || has(option, QStyle::State_NoChange);
  const QColor fill = filled ? (enabled ? t.accent : t.disabled) : (enabled ? t.surface : t.window);
  rounded(painter, box, fill, filled ? fill : mixed(t.line, t.text, has(option, QStyle::State_MouseOver) ? 0.4 : 0.2));
  if (has(option, QStyle::State_On)) glyph(painter, "check", option.rect, 12, t.onAccent);
  if (has(option, QStyle::State_NoChange)) glyph(painter, "minus", option.rect, 12, t.onAccent);
  if (has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange)) {
    rounded(painter, box.adjusted(-2, -2, 2, 2), {}, t.accent, 1.5);
  }
}

void radioButton(const QStyleOption& option, QPainter& painter) {
  const Tokens& t = Theme::tokens();
  const QColor mark = has(option, QStyle::State_Enabled) ? t.accent : t.disabled;
  const QRectF circle = QRectF(option.rect).adjusted(1, 1, -1, -1);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(has(option, QStyle::State_On) ? mark : mixed(t.line, t.text, 0.2), 1));
  painter.setBrush(t.surface);
  painter.drawEllipse(circle);
  if (has(option, QStyle::State_On)) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(mark);
    painter.drawEllipse(circle.adjusted(3, 3, -3, -3));
  }
  painter.restore();
}

void comboBox(const QStyleOptionComboBox& option, QPainter& painter, const QWidget* widget) {
  const Tokens& t = Theme::tokens();
  const bool enabled = has(option, QStyle::State_Enabled);
  const bool hover = enabled && has(option, QStyle::State_MouseOver);
  const bool focus = has(option, QStyle::State_HasFocus);
  const QColor base = enabled ? t.raised : t.window;
  const QColor border = property(widget, "invalid") ? t.bad : focus && enabled ? t.accent : t.line;
  rounded(painter, QRectF(option.rect), hover ? mixed(base, t.text, 0.05) : base, border, focus ? 1.5 : 1);
  const QRect arrow(option.rect.right() - 22, option.rect.top(), 20, option.rect.height());
  glyph(painter, "chevron-down", arrow, 12, glyphColour(option));
}

void spinArrows(const QStyleOptionSpinBox& option, QPainter& painter, const QRect& up, const QRect& down) {
  glyph(painter, "chevron-up", up, 10, glyphColour(option));
  glyph(painter, "chevron-down", down, 10, glyphColour(option));
}

void scrollBar(const QStyleOptionSlider& option, QPainter& painter, const QRect& handle) {
  const Tokens& t = Theme::tokens();
  if (option.maximum <= option.minimum) return;
  QColor fill = t.text;
  const bool active = option.activeSubControls.testFlag(QStyle::SC_ScrollBarSlider) &&
                      (has(option, QStyle::State_MouseOver) || has(option, QStyle::State_Sunken));
  fill.setAlphaF(has(option, QStyle::State_Sunken) && active ? 0.45 : active ? 0.34 : 0.2);
  const QRectF shape = QRectF(handle).adjusted(2, 2, -2, -2);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  const qreal radius = std::min(shape.width(), shape.height()) / 2;
  painter.drawRoundedRect(shape, radius, radius);
  painter.restore();
}

void slider(const QStyleOptionSlider& option, QPainter& painter, const QRect& handle) {
  const Tokens& t = Theme::tokens();
  const QColor mark = has(option, QStyle::State_Enabled) ? t.accent : t.disabled;
  const QRectF whole(option.rect);
  QRectF groove(whole.left() + 6, whole.center().y() - 1.5, whole.width() - 12, 3);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(t.line);
  painter.drawRoundedRect(groove, 1.5, 1.5);
  groove.setRight(handle.center().x());
  painter.setBrush(mark);
  painter.drawRoundedRect(groove, 1.5, 1.5);
  const bool focus = has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange);
  painter.setPen(QPen(focus ? t.text : mark, focus ? 2 : 1.5));
  painter.setBrush(t.surface);
  painter.drawEllipse(QRectF(handle).center(), 6, 6);
  painter.restore();
}

void tab(const QStyleOptionTab& option, QPainter& painter) {
  const Tokens& t = Theme::tokens();
  const bool selected = has(option, QStyle::State_Selected);
  painter.save();
  painter.setFont(selected ? strongFont() : baseFont());
  const bool hover = has(option, QStyle::State_MouseOver);
  painter.setPen(selected || hover ? t.text : t.secondary);
  painter.drawText(option.rect, Qt::AlignCenter | Qt::TextShowMnemonic, option.text);
  if (selected) {
    const QRect under(option.rect.left() + 8, option.rect.bottom() - 1, option.rect.width() - 16, 2);
    painter.fillRect(under, t.accent);
  }
  painter.restore();
  focusRing(option, painter);
}

void header(const QStyleOptionHeader& option, QPainter& painter) {
  const Tokens& t = Theme::tokens();
  painter.fillRect(option.rect, t.surface);
  painter.fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), t.line);
}

void progressGroove(const QStyleOptionProgressBar& option, QPainter& painter) {
  const QRect& r = option.rect;
  const QRectF bar(r.left(), r.center().y() - 2, r.width(), 4);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(Theme::tokens().line);
  painter.drawRoundedRect(bar, 2, 2);
  painter.restore();
}

void progressContents(const QStyleOptionProgressBar& option, QPainter& painter) {
  const QRect& r = option.rect;
  const int range = option.maximum - option.minimum;
  QRectF bar(r.left(), r.center().y() - 2, r.width(), 4);
  if (range > 0) {
    bar.setWidth(bar.width() * std::clamp(double(option.progress - option.minimum) / range, 0.0, 1.0));
  } else {
    bar.adjust(bar.width() * 0.3, 0, -bar.width() * 0.3, 0);
  }
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(Theme::tokens().accent);
  if (bar.width() > 0.5) painter.drawRoundedRect(bar, 2, 2);
  painter.restore();
}

void menuPanel(const QStyleOption& option, QPainter& painter) {
  rounded(painter, QRectF(option.rect), Theme::tokens().raised, Theme::tokens().line);
}

void menuSeparator(const QStyleOptionMenuItem& option, QPainter& painter) {
  const QRect& r = option.rect;
  painter.fillRect(QRect(r.left() + 8, r.center().y(), r.width() - 16, 1), Theme::tokens().line);
}

void itemSelection(const QStyleOption& option, QPainter& painter) {
  const Tokens& t = Theme::tokens();
  QColor fill = t.text;
  if (has(option, QStyle::State_Selected)) {
    fill = t.accent;
    fill.setAlphaF(t.dark ? 0.22 : 0.14);
  } else if (has(option, QStyle::State_MouseOver)) {
    fill.setAlphaF(0.05);
  } else {
    return;
  }
  painter.fillRect(option.rect, fill);
}

void branch(const QStyleOption& option, QPainter& painter) {
  if (!has(option, QStyle::State_Children)) return;
  glyph(painter, has(option, QStyle::State_Open) ? "chevron-down" : "chevron-right", option.rect, 12,
        Theme::tokens().secondary);
}

}  // namespace roadtune::widgets::paint
