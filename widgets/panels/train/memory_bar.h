// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/memory_plan.h"

#include <QWidget>

#include <string_view>

namespace roadtune::widgets {

// The colour of a kind of part (a key of model::MemoryItem), the same in every plan and in both themes.
QColor memoryColour(std::string_view key);

// The memory a process will need, by part, against what there is. A part beyond the end is drawn hatched in the
// warning colour.
class MemoryBar : public QWidget {
  Q_OBJECT
 public:
  explicit MemoryBar(QWidget* parent = nullptr);
  void setPlan(const model::MemoryPlan& plan, std::uint64_t available);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<model::MemoryItem> m_items;
  std::uint64_t m_available = 0;
};

}  // namespace roadtune::widgets
