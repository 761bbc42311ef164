// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/command_palette.h"

#include "widgets/common/controls.h"
#include "widgets/common/fuzzy.h"
#include "widgets/common/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr int kKeysRole = Qt::UserRole + 1;
constexpr int kActionRole = Qt::UserRole + 2;

class CommandDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, 32}; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    painter->setFont(secondaryFont());
    painter->setPen(Theme::tokens().secondary);
    painter->drawText(option.rect.adjusted(0, 0, -12, 0), int(Qt::AlignRight | Qt::AlignVCenter),
                      index.data(kKeysRole).toString());
  }
};

// A word that begins as it is typed is as good as one of the title.
int scoreOf(const QString& typed, const QAction& action, const QString& title) {
  int best = fuzzyScore(typed, title);
  for (const QString& other : action.property(CommandPalette::kOtherNames).toString().split(QLatin1Char(' ')))
    if (!typed.isEmpty() && other.startsWith(typed, Qt::CaseInsensitive))
      best = std::max(best, fuzzyScore(typed, other));
  return best;
}

}  // namespace

CommandPalette::CommandPalette(QWidget* window)
    : Overlay(window),
      m_edit(searchField(tr("Do anything: type a few letters"), QStringLiteral("paletteEdit"))),
      m_list(new QListWidget),
      m_nothing(secondaryLabel(tr("Nothing is called that. Try another word for it; F1 shows what the keys do."))) {
  setObjectName(QStringLiteral("commandPalette"));
  m_list->setObjectName(QStringLiteral("paletteList"));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->viewport()->setAutoFillBackground(false);
  m_list->setItemDelegate(new CommandDelegate(m_list));
  m_list->setIconSize({16, 16});
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setMouseTracking(true);
  m_list->setAccessibleName(tr("Commands"));
  auto* layout = column(panel(), 8);
  layout->setContentsMargins(12, 12, 12, 12);
  layout->addWidget(m_edit);
  layout->addWidget(m_list, 1);
  layout->addWidget(m_nothing, 1);
  m_nothing->setObjectName(QStringLiteral("paletteNothing"));
  m_nothing->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  m_nothing->setWordWrap(true);
  m_nothing->setContentsMargins(12, 12, 12, 12);
  m_nothing->hide();
  m_edit->installEventFilter(this);
  connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::refill);
  connect(m_edit, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
  connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
}

QSize CommandPalette::panelSize(const QSize&) const { return {560, 404}; }

void CommandPalette::onOpen() {
  m_edit->clear();
  refill();
  m_edit->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_edit && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down       ? 1
                     : key == Qt::Key_Up       ? -1
                     : key == Qt::Key_PageDown ? 8
                     : key == Qt::Key_PageUp   ? -8
                                               : 0;
    if (step != 0 && m_list->count() > 0) {
      m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, m_list->count() - 1));
      return true;
    }
  }
  return Overlay::eventFilter(watched, event);
}

void CommandPalette::refill() {
  struct Hit {
    int score;
    QAction* action;
    QString title;
  };
  std::vector<Hit> hits;
  for (QAction* action : m_actions) {
    if (!action->isEnabled() || action->text().isEmpty()) continue;
    const QString title = action->data().isValid() ? action->data().toString() : action->text();
    if (const int score = scoreOf(m_edit->text().trimmed(), *action, title); score > 0)
      hits.push_back({score, action, title});
  }
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  m_list->clear();
  for (const Hit& hit : hits) {
    static const QIcon kNone = [] {
      QPixmap empty(16, 16);
      empty.fill(Qt::transparent);
      return QIcon(empty);
    }();
    auto* item = new QListWidgetItem(hit.action->icon().isNull() ? kNone : hit.action->icon(), hit.title, m_list);
    item->setData(kKeysRole, hit.action->shortcut().toString(QKeySequence::NativeText));
    item->setData(kActionRole, QVariant::fromValue(static_cast<void*>(hit.action)));
  }
  m_list->setCurrentRow(0);
  m_list->setVisible(!hits.empty());
  m_nothing->setVisible(hits.empty());
}

void CommandPalette::runCurrent() {
  const QListWidgetItem* item = m_list->currentItem();
  if (!item) return;
  auto* action = static_cast<QAction*>(item->data(kActionRole).value<void*>());
  close();
  action->trigger();
}

}  // namespace roadtune::widgets
