// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/job_row.h"

#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace roadtune::widgets {

JobRow::JobRow(const QString& title, QWidget* parent)
    : QWidget(parent), m_bar(new QProgressBar), m_detail(new ElidedLabel) {
  auto* name = new QLabel(title);
  name->setFont(secondaryFont());
  m_bar->setTextVisible(false);
  m_bar->setFixedSize(120, 12);
  m_bar->setRange(0, 0);
  m_bar->setAccessibleName(title);
  m_detail->setFont(secondaryFont());
  m_detail->setForegroundRole(QPalette::PlaceholderText);
  auto* cancel = iconButton(QStringLiteral("close"), tr("Cancel"), QStringLiteral("cancelJob"));
  cancel->setIconSize(QSize(12, 12));
  cancel->setFixedSize(20, 20);
  auto* layout = row(this, 8);
  layout->addWidget(name);
  layout->addWidget(m_bar);
  layout->addWidget(m_detail);
  layout->addWidget(cancel);
  connect(cancel, &QToolButton::clicked, this, &JobRow::cancelRequested);
}

void JobRow::setProgress(std::uint64_t done, std::uint64_t total, const QString& detail) {
  // QProgressBar counts in int: a share of 1000 is finer than its pixels.
  if (total == 0) {
    m_bar->setRange(0, 0);
  } else {
    m_bar->setRange(0, 1000);
    m_bar->setValue(static_cast<int>(1000.0 * static_cast<double>(done) / static_cast<double>(total)));
  }
  m_detail->setText(detail);
}

}  // namespace roadtune::widgets
