// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/problem_list.h"

#include "widgets/common/controls.h"
#include "widgets/common/number_text.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QToolButton>

#include <cmath>

namespace roadtune::widgets {
namespace {
constexpr int kMostRows = 500, kMostLines = 20'000, kLeastHeight = 120;
constexpr int kGap = 3;

// A line for as long as the list is wide; the longest name of a file breaks where it has to.
class ProblemDelegate : public QStyledItemDelegate {
 public:
  explicit ProblemDelegate(QListView* list) : QStyledItemDelegate(list), m_list(list) {}
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QTextLayout text;
    return {lineWidth(), static_cast<int>(std::ceil(layOut(text, option.font, index))) + 2 * kGap};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem empty = option;
    initStyleOption(&empty, index);
    empty.text.clear();
    m_list->style()->drawControl(QStyle::CE_ItemViewItem, &empty, painter, m_list);
    QTextLayout text;
    layOut(text, option.font, index);
    painter->setPen(option.palette.color(QPalette::Text));
    text.draw(painter, option.rect.topLeft() + QPointF(kGap, kGap));
  }

 private:
  int lineWidth() const { return m_list->viewport()->width() - 4 * kGap; }  // beside it, and beside the row
  // How high it is.
  double layOut(QTextLayout& text, const QFont& font, const QModelIndex& index) const {
    QTextOption wrapped;
    wrapped.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    text.setText(foldedText(index.data().toString()));
    text.setFont(font);
    text.setTextOption(wrapped);
    double height = 0;
    text.beginLayout();
    for (QTextLine line = text.createLine(); line.isValid(); line = text.createLine()) {
      line.setLineWidth(lineWidth());
      line.setPosition({0, height});
      height += line.height();
    }
    text.endLayout();
    return height;
  }
  QListView* m_list;
};
}  // namespace

ProblemList::ProblemList(QWidget* parent) : QWidget(parent), m_title(headingLabel({})), m_list(new QListWidget) {
  setObjectName(QStringLiteral("problemList"));
  m_title->setObjectName(QStringLiteral("problemTitle"));
  m_list->setObjectName(QStringLiteral("problemRows"));
  m_list->setAccessibleName(tr("What could not be read"));
  m_list->setFrameShape(QFrame::StyledPanel);
  m_list->setFont(secondaryFont());
  m_list->setItemDelegate(new ProblemDelegate(m_list));
  m_list->setWordWrap(true);  // or another width would leave the rows as high as they were
  m_list->setSpacing(kGap);
  m_list->setMinimumHeight(kLeastHeight);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* copy = iconButton(QStringLiteral("copy"), tr("Copy the whole list"), QStringLiteral("problemCopy"));
  auto* head = row(nullptr, 8);
  head->addWidget(m_title, 1);
  head->addWidget(copy);
  auto* layout = column(this, 4);
  layout->addLayout(head);
  layout->addWidget(m_list, 1);
  connect(copy, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(m_lines.join(QLatin1Char('\n'))); });
  hide();
}

void ProblemList::clear() {
  m_lines.clear();
  m_list->clear();
  hide();
}

void ProblemList::add(const QString& line) {
  if (m_lines.size() >= kMostLines) return;
  m_lines << line;
  if (m_list->count() < kMostRows) {
    auto* item = new QListWidgetItem(shortProblem(line), m_list);
    item->setToolTip(line);
  }
  refreshTitle();
  show();
}

void ProblemList::refreshTitle() {
  const QString count = countText(m_lines.size());
  m_title->setText(m_lines.size() == 1 ? tr("1 problem")
                   : m_lines.size() <= kMostRows
                       ? tr("%1 problems").arg(count)
                       : tr("%1 problems, the first %2 are listed").arg(count).arg(kMostRows));
}

QString shortProblem(const QString& line) {
  const qsizetype end = line.indexOf(QLatin1String(": "));
  const qsizetype slash = line.lastIndexOf(QLatin1Char('/'), end < 0 ? 0 : end);
  return end > 0 && slash >= 0 ? line.mid(slash + 1) : line;
}

}  // namespace roadtune::widgets
