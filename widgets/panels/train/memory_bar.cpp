// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/memory_bar.h"

#include "core/base/units.h"
#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"

#include <QPainter>
#include <QPainterPath>
#include <QToolButton>

#include <algorithm>
#include <numeric>

namespace roadtune::widgets {
namespace {
constexpr int kBarHeight = 14;
constexpr int kLine = 20;
constexpr double kLeastPart = 2;     // of the bar: what there is can be seen
constexpr std::size_t kLargest = 3;  // are named; one or two more are not worth folding

// How the parts share what is drawn of the bar, each with the gap behind it. What small parts take to be seen is taken
// from the large ones; where there is no room for all, the smallest have none, so that the whole keeps its measure.
std::vector<double> partWidths(const std::vector<model::MemoryItem>& items, double drawn) {
  constexpr double kLeast = kLeastPart + 1;
  std::vector<double> widths(items.size());
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return items[a].bytes > items[b].bytes; });
  drawn = std::max(drawn, kLeast);
  order.resize(std::min(order.size(), static_cast<std::size_t>(drawn / kLeast)));
  double room = drawn, bytes = 0;
  for (const std::size_t i : order) bytes += double(items[i].bytes);
  while (!order.empty()) {  // from the smallest
    const std::size_t i = order.back();
    order.pop_back();
    widths[i] = std::max(kLeast, room * double(items[i].bytes) / std::max(bytes, 1.0));
    room -= widths[i];
    bytes -= double(items[i].bytes);
  }
  return widths;
}

}  // namespace

// One colour of the series for each family, its members further and further towards the colour of the text.
QColor memoryColour(std::string_view key, const Tokens& tokens) {
  struct Look {
    std::string_view key;
    std::size_t series;
    int member = 0;
  };
  static constexpr Look kLooks[] = {{"weights", 0},
                                    {"nf4", 0, 1},
                                    {"nf4_constants", 6, 1},
                                    {"masters", 4},
                                    {"adapters", 4, 1},
                                    {"compute_copies", 4, 2},
                                    {"gradients", 1},
                                    {"logits", 1, 1},
                                    {"optimizer", 5},
                                    {"workspace", 5, 1},
                                    {"gathered_ends", 3},
                                    {"gathered_blocks", 3, 1},
                                    {"gathered_exchange", 3, 2},
                                    {"activations_vision", 2},
                                    {"activations_text", 2, 1},
                                    {"activations_ends", 2, 2}};
  static constexpr double kTowardsText[] = {0.2, 0.45, 0.7};  // the first already stands out from both themes
  const auto look = std::ranges::find(kLooks, key, &Look::key);
  const bool known = look != std::end(kLooks);
  return mixed(seriesColour(known ? look->series : 6), tokens.text, kTowardsText[known ? look->member : 0]);
}

MemoryBar::MemoryBar(QWidget* parent)
    : QWidget(parent), m_more(iconButton({}, tr("All parts of the memory"), QStringLiteral("memoryMore"))) {
  setObjectName(QStringLiteral("memoryBar"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_more->setParent(this);
  m_more->setFont(secondaryFont());
  m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  connect(m_more, &QToolButton::clicked, this, [this] {
    m_all = !m_all;
    fold();
  });
}

// The largest parts keep their place in the order of the bar.
void MemoryBar::fold() {
  m_named = m_items;
  const bool folds = m_items.size() > kLargest + 2;
  if (folds && !m_all) {
    std::vector<std::uint64_t> sizes;
    for (const auto& item : m_items) sizes.push_back(item.bytes);
    std::ranges::nth_element(sizes, sizes.begin() + kLargest - 1, std::greater());
    std::erase_if(m_named, [least = sizes[kLargest - 1]](const auto& item) { return item.bytes < least; });
  }
  m_more->setVisible(folds);
  m_more->setText(m_all ? tr("Only the largest") : tr("%n more", nullptr, int(m_items.size() - m_named.size())));
  m_more->setIcon(icon(m_all ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"), true));
  m_more->setGeometry(-4, kBarHeight + 8 + kLine * int(m_named.size()), m_more->sizeHint().width(), kLine);
  updateGeometry();
  update();
}

void MemoryBar::setPlan(const model::MemoryPlan& plan, std::uint64_t available) {
  m_items.clear();
  for (const model::MemoryItem& item : plan.items) {
    if (item.bytes > 0) m_items.push_back(item);
  }
  m_available = available;
  QStringList words, formulas;
  for (const auto& item : m_items) {
    words << numberText(item.label + " " + formatBytes(double(item.bytes)));
    formulas << quantityWords(item.label) + QStringLiteral(": ") + QString::fromStdString(item.formula);
  }
  setAccessibleName(tr("Memory: %1").arg(words.join(QStringLiteral(", "))));
  setToolTip(formulas.join(QLatin1Char('\n')));
  fold();
}

QSize MemoryBar::sizeHint() const {
  const int lines = static_cast<int>(m_named.size()) + (m_more->isHidden() ? 0 : 1);
  return {260, kBarHeight + 8 + kLine * lines};
}

void MemoryBar::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  double total = 0;
  for (const auto& item : m_items) total += double(item.bytes);
  const double plain = width() / std::max({total, double(m_available), 1.0});
  const std::vector<double> widths = partWidths(m_items, total * plain);
  const QRectF bar(0, 0, width(), kBarHeight);
  QPainterPath clip;
  clip.addRoundedRect(bar, 3, 3);
  painter.setClipPath(clip);
  painter.fillRect(bar, mixed(t.surface, t.line, 0.7));
  double x = 0;
  for (std::size_t i = 0; i < m_items.size(); ++i) {
    if (widths[i] <= 0) continue;
    painter.fillRect(QRectF(x, 0, widths[i] - 1, kBarHeight), memoryColour(m_items[i].key, t));  // a gap to the next
    x += widths[i];
  }
  if (m_available > 0 && total > double(m_available)) {
    const double end = double(m_available) * plain;
    painter.fillRect(QRectF(end, 0, width() - end, kBarHeight), QBrush(t.bad, Qt::BDiagPattern));
    painter.fillRect(QRectF(end - 1, 0, 2, kBarHeight), t.bad);
  }
  painter.setClipping(false);
  painter.setFont(secondaryFont());
  double y = kBarHeight + 8;
  const auto amount = [&](double bytes) {
    painter.setPen(t.text);
    drawTabular(painter, QRectF(0, y, width(), kLine), Qt::AlignRight, numberText(formatBytes(bytes)));
  };
  for (const auto& item : m_named) {
    painter.fillRect(QRectF(0, y + 5, 8, 8), memoryColour(item.key, t));
    painter.setPen(t.secondary);
    const QRectF place(16, y, width() - 100, kLine);
    painter.drawText(place, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(quantityWords(item.label), Qt::ElideRight, width() - 100));
    amount(double(item.bytes));
    total -= double(item.bytes);
    y += kLine;
  }
  if (m_named.size() < m_items.size()) amount(total);
}

}  // namespace roadtune::widgets
