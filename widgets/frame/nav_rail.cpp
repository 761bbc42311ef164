// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/nav_rail.h"

#include "widgets/common/controls.h"
#include "widgets/common/theme.h"

#include <QAction>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

// Icon above word; the current page wears the accent and a bar at the rail's edge.
class RailButton : public QToolButton {
 public:
  using QToolButton::QToolButton;
  QSize sizeHint() const override {
    return {std::max(64, QFontMetrics(secondaryFont()).horizontalAdvance(text()) + 12), 54};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Tokens& t = Theme::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF body = QRectF(rect()).adjusted(6, 2, -6, -2);
    if (isChecked() || underMouse() || isDown()) {
      QColor fill = isChecked() ? t.accent : t.text;
      fill.setAlphaF(isChecked() ? 0.14 : 0.06);
      painter.setPen(Qt::NoPen);
      painter.setBrush(fill);
      painter.drawRoundedRect(body, metrics::kRadius, metrics::kRadius);
    }
    if (hasFocus()) {
      painter.setPen(QPen(t.accent, 1.5));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(body.adjusted(1, 1, -1, -1), metrics::kRadius, metrics::kRadius);
    }
    if (isChecked()) painter.fillRect(QRectF(0, body.top() + 8, 3, body.height() - 16), t.accent);
    const QRect iconRect(width() / 2 - 10, 9, 20, 20);
    icon().paint(&painter, iconRect, Qt::AlignCenter, QIcon::Normal, isChecked() ? QIcon::On : QIcon::Off);
    painter.setFont(secondaryFont());
    painter.setPen(isChecked() ? t.accent : t.secondary);
    painter.drawText(QRect(0, 31, width(), 16), Qt::AlignCenter, text());
  }
};

}  // namespace

NavRail::NavRail(QWidget* parent) : QWidget(parent), m_layout(column(this, 2)) {
  setObjectName(QStringLiteral("navRail"));
  setFixedWidth(65);
  m_layout->setContentsMargins(0, 8, 1, 8);
  m_layout->addStretch(1);
}

QToolButton* NavRail::makeButton(QAction* action) {
  auto* button = new RailButton(this);
  button->setDefaultAction(action);
  button->setObjectName(action->objectName() + QStringLiteral("Button"));
  button->setAccessibleName(action->text());
  button->setFocusPolicy(Qt::TabFocus);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFixedWidth(std::max(minimumWidth(), button->sizeHint().width() + 1));  // of the longest word
  button->setToolTip(withKeys(action->text(), action->shortcut()));
  return button;
}

void NavRail::addPage(QAction* action) { m_layout->insertWidget(m_pages++, makeButton(action)); }

void NavRail::addBottom(QAction* action) { m_layout->addWidget(makeButton(action)); }

void NavRail::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::tokens().window);
  painter.fillRect(QRect(width() - 1, 0, 1, height()), Theme::tokens().line);
}

}  // namespace roadtune::widgets
