// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/notice_bar.h"

#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace roadtune::widgets {
namespace {

QColor noticeColour(NoticeBar::Kind kind) {
  const Tokens& t = Theme::tokens();
  switch (kind) {
    case NoticeBar::Kind::Info: return t.accent;
    case NoticeBar::Kind::Good: return t.good;
    case NoticeBar::Kind::Warning: return t.warn;
    case NoticeBar::Kind::Bad: return t.bad;
  }
  return t.accent;
}

}  // namespace

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel),
      m_text(new QLabel),
      m_offers{Offer{plainButton({}, QStringLiteral("noticeAction")), {}},
               Offer{plainButton({}, QStringLiteral("noticeOtherAction")), {}}},
      m_copy(plainButton(tr("Copy details"), QStringLiteral("noticeCopy"))) {
  setObjectName(QStringLiteral("notice"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 6, 8, 6);
  layout->setSpacing(8);
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_text->setTextFormat(Qt::PlainText);
  auto* close = iconButton(QStringLiteral("close"), tr("Dismiss"), QStringLiteral("noticeClose"));
  layout->addWidget(m_icon);
  layout->addWidget(m_text, 1);
  for (const Offer& offer : m_offers) layout->addWidget(offer.button);
  layout->addWidget(m_copy);
  layout->addWidget(close);
  connect(close, &QToolButton::clicked, this, &NoticeBar::clear);
  connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(m_details); });
  for (const Offer& offer : m_offers) {
    connect(offer.button, &QPushButton::clicked, this, [this, &offer] {
      const auto run = offer.run;
      clear();
      if (run) run();
    });
  }
  hide();
}

void NoticeBar::show(Kind kind, const QString& text, const QString& details) {
  m_kind = kind;
  m_details = details;
  for (Offer& one : m_offers) {
    one.run = nullptr;
    one.button->hide();
  }
  m_text->setText(text);
  setAccessibleName(text);
  m_copy->setVisible(!details.isEmpty());
  paintIcon();
  setVisible(true);
  update();
}

void NoticeBar::show(const Error& error) {
  QString text = sentence(errorWords(error.what));
  if (!error.where.empty()) text += QStringLiteral("  ·  ") + QString::fromStdString(error.where);
  if (!error.hint.empty()) text += QStringLiteral("\n") + tr("Try: %1").arg(errorWords(error.hint));
  show(Kind::Bad, text, errorText(error));
}

void NoticeBar::offer(const QString& label, std::function<void()> action) {
  Offer& next = m_offers[0].run ? m_offers[1] : m_offers[0];
  next.run = std::move(action);
  next.button->setText(label);
  next.button->show();
}

void NoticeBar::clear() { hide(); }

QString NoticeBar::text() const { return isHidden() ? QString() : m_text->text(); }

void NoticeBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Tokens& t = Theme::tokens();
  const QColor colour = noticeColour(m_kind);
  painter.fillRect(rect(), mixed(t.surface, colour, 0.10));
  painter.fillRect(QRect(0, 0, 3, height()), colour);
  painter.fillRect(QRect(0, height() - 1, width(), 1), t.line);
}

void NoticeBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) paintIcon();
  QWidget::changeEvent(event);
}

void NoticeBar::paintIcon() {
  const char* name = m_kind == Kind::Good      ? "check"
                     : m_kind == Kind::Warning ? "warning"
                     : m_kind == Kind::Bad     ? "error"
                                               : "info";
  m_icon->setPixmap(iconPixmap(QLatin1String(name), 16, noticeColour(m_kind), devicePixelRatioF()));
}

}  // namespace roadtune::widgets
