// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/memory_plan.h"
#include "widgets/common/tokens.h"

#include <QWidget>

#include <string_view>
#include <vector>

class QToolButton;

namespace roadtune::widgets {

// The colour of a kind of part (a key of model::MemoryItem), the same in every plan.
QColor memoryColour(std::string_view key, const Tokens& tokens);

// The memory a process will need, by part, against what there is. A part beyond the end is drawn hatched in the
// warning colour. Of many parts the three largest are named, the others on request.
class MemoryBar : public QWidget {
  Q_OBJECT
 public:
  explicit MemoryBar(QWidget* parent = nullptr);
  void setPlan(const model::MemoryPlan& plan, std::uint64_t available);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void fold();
  std::vector<model::MemoryItem> m_items, m_named;
  QToolButton* m_more;
  bool m_all = false;
  std::uint64_t m_available = 0;
};

}  // namespace roadtune::widgets
