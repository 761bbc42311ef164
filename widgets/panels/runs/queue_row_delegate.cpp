// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/queue_row_delegate.h"

#include "core/runs/run_facts.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"
#include "widgets/models/queue_model.h"
#include "widgets/panels/runs/run_row_delegate.h"

#include <QPainter>

namespace roadtune::widgets {
namespace {

runs::RunState markOf(policy::JobState state) {
  switch (state) {
    case policy::JobState::Waiting: return runs::RunState::Created;
    case policy::JobState::Running: return runs::RunState::Running;
    case policy::JobState::Finished: return runs::RunState::Finished;
    case policy::JobState::Stopped: return runs::RunState::Stopped;
    case policy::JobState::Failed: return runs::RunState::Failed;
  }
  return runs::RunState::Created;
}

}  // namespace

void QueueRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem own(option);
  initStyleOption(&own, index);
  paintRowGround(*painter, own);
  const Tokens& t = Theme::tokens();
  const QRect r = option.rect;
  const auto state = static_cast<policy::JobState>(index.data(QueueModel::StateRole).toInt());
  painter->save();
  const QRect mark(r.left() + 8, r.top() + 5, 18, 18);
  if (const int place = index.data(QueueModel::PlaceRole).toInt(); place > 0) {
    painter->setFont(option.font);
    painter->setPen(t.secondary);
    drawTabular(*painter, mark, Qt::AlignHCenter | Qt::AlignVCenter, QString::number(place));
  } else {
    paintStateMark(*painter, QRectF(mark).adjusted(2, 2, -2, -2), static_cast<int>(markOf(state)));
  }
  const QRect text = r.adjusted(32, 5, -10, -5);
  const bool over = state != policy::JobState::Waiting && state != policy::JobState::Running;
  painter->setFont(option.font);
  painter->setPen(over ? t.secondary : t.text);
  painter->drawText(QRect(text.left(), text.top(), text.width(), 18), Qt::AlignVCenter,
                    option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, text.width()));
  painter->setFont(secondaryFont());
  const bool asks = index.data(QueueModel::AsksRole).toBool();
  painter->setPen(state == policy::JobState::Failed ? t.bad : asks ? t.warn : t.secondary);
  painter->drawText(QRect(text.left(), text.top() + 18, text.width(), 16), Qt::AlignVCenter,
                    QFontMetrics(secondaryFont())
                        .elidedText(index.data(QueueModel::DetailRole).toString(), Qt::ElideRight, text.width()));
  painter->restore();
}

QSize QueueRowDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {200, 44}; }

}  // namespace roadtune::widgets
