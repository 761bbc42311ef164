// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/status_strip.h"

#include "core/base/units.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"
#include "widgets/frame/job_row.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace roadtune::widgets {
namespace {

// ● 2 running · 41.3 samples/s
class LiveChip : public QPushButton {
 public:
  using QPushButton::QPushButton;
  QSize sizeHint() const override { return {static_cast<int>(tabularWidth(secondaryFont(), text())) + 34, 20}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Tokens& t = Theme::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = t.good;
    fill.setAlphaF(underMouse() || hasFocus() ? 0.22 : 0.12);
    painter.setPen(hasFocus() ? QPen(t.accent, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 9, 9);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.good);
    painter.drawEllipse(QRectF(10, height() / 2.0 - 3.5, 7, 7));
    painter.setPen(t.text);
    painter.setFont(secondaryFont());
    drawTabular(painter, QRectF(23, 0, width() - 30, height()), Qt::AlignLeft, text());
  }
};

}  // namespace

StatusStrip::StatusStrip(QWidget* parent)
    : QWidget(parent), m_message(new ElidedLabel), m_jobRows(row(nullptr, 16)), m_chip(new LiveChip) {
  setObjectName(QStringLiteral("statusStrip"));
  setFixedHeight(metrics::kRowHeight);
  m_message->setObjectName(QStringLiteral("statusMessage"));
  m_message->setFont(secondaryFont());
  m_message->setForegroundRole(QPalette::PlaceholderText);
  m_chip->setObjectName(QStringLiteral("liveRunsChip"));
  m_chip->setFixedHeight(20);
  m_chip->setToolTip(tr("Show the runs that are going on"));
  m_chip->hide();
  auto* layout = row(this, 16);
  layout->setContentsMargins(12, 1, 8, 0);
  layout->addLayout(m_jobRows);
  layout->addWidget(m_message, 1);
  layout->addWidget(m_chip);
  connect(m_chip, &QPushButton::clicked, this, &StatusStrip::liveRunsClicked);
}

int StatusStrip::addJob(const QString& title) {
  const int job = m_next++;
  auto* view = new JobRow(title, this);
  view->setObjectName(QStringLiteral("job%1").arg(job));
  m_jobRows->addWidget(view);
  m_jobs[job] = view;
  connect(view, &JobRow::cancelRequested, this, [this, job] { emit cancelRequested(job); });
  return job;
}

void StatusStrip::setJobProgress(int job, std::uint64_t done, std::uint64_t total, const QString& detail) {
  if (const auto found = m_jobs.find(job); found != m_jobs.end()) found->second->setProgress(done, total, detail);
}

void StatusStrip::endJob(int job) {
  const auto found = m_jobs.find(job);
  if (found == m_jobs.end()) return;
  found->second->hide();
  found->second->deleteLater();
  m_jobs.erase(found);
}

void StatusStrip::setMessage(const QString& text) { m_message->setText(text); }

void StatusStrip::withdraw(const QString& text) {
  if (m_message->text() == text) setMessage({});
}

void StatusStrip::setLiveRuns(int running, double samplesPerSecond) {
  m_chip->setVisible(running > 0);
  QString text = tr("%n running", nullptr, running);
  text.replace(QStringLiteral("%n"), QString::number(running));
  if (samplesPerSecond > 0) {
    text += QStringLiteral(" · ") + numberText(formatRate(samplesPerSecond, tr("samples").toStdString()));
  }
  m_chip->setText(text);
  m_chip->setAccessibleName(text);
  m_chip->updateGeometry();
}

void StatusStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(QRect(0, 0, width(), 1), Theme::tokens().line);
}

}  // namespace roadtune::widgets
