// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/data_quality.h"

#include "core/base/exit_code.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/quality_panel.h"
#include "widgets/panels/data/side_drawer.h"

#include <QFileDialog>

namespace roadtune::studio {

using widgets::QualityPanel;

DataQuality::DataQuality(widgets::DataPage* page, JobBoard* jobs, QObject* parent)
    : QObject(parent), m_page(page), m_panel(page->qualityPanel()), m_jobs(jobs) {
  connect(m_panel, &QualityPanel::modelRequested, this, &DataQuality::browseModel);
  connect(m_panel, &QualityPanel::compareRequested, this, [this] {
    m_pictures = true;
    measure(tr("Comparing pictures"));
  });
  connect(m_panel, &QualityPanel::countRequested, this, [this](const QString& model, int maxLength) {
    m_model = model;
    m_maxLength = maxLength;
    measure(tr("Counting tokens"));
  });
  connect(m_panel, &QualityPanel::cancelRequested, this, [this] {
    if (m_job) m_job->cancel();
  });
}

void DataQuality::setIndex(const std::shared_ptr<const data::Index>& index) {
  m_index = index;
  m_sizes.clear();
  m_pictures = m_measured = false;
  m_model.clear();
  drop();
  m_panel->setReport(nullptr);
  if (m_page->drawer()->shows(m_panel)) measure(tr("Measuring"));
}

void DataQuality::drop() {
  if (!m_job) return;
  m_job->disconnect(this);
  m_job->cancel();
  m_job = nullptr;
}

void DataQuality::choose() {
  if (!m_index) return;
  m_page->drawer()->show(m_panel);
  if (!m_measured && !m_job) measure(tr("Measuring"));
}

void DataQuality::measure(const QString& what) {
  m_panel->begin(what);
  if (!m_sizes.empty()) return start(what);
  m_background.run(
      this, [index = m_index] { return std::make_pair(index, pictureSizes(*index)); },
      [this, what](std::pair<std::shared_ptr<const data::Index>, std::vector<PictureSize>> found) {
        if (found.first != m_index) return;
        m_sizes = std::move(found.second);
        start(what);
      });
}

void DataQuality::start(const QString& what) {
  QStringList arguments{
      QStringLiteral("data"),   QStringLiteral("quality"),    QString::fromStdString(m_index->folder().string()),
      QStringLiteral("--json"), QStringLiteral("--progress"), QStringLiteral("json")};
  if (m_pictures) arguments << QStringLiteral("--pictures");
  if (!m_model.isEmpty())
    arguments << QStringLiteral("--tokenizer") << m_model << QStringLiteral("--max-length")
              << QString::number(m_maxLength) << QStringLiteral("--samples") << QStringLiteral("0")
              << QStringLiteral("--name-cut");
  drop();
  m_job = m_jobs->run(what, arguments);
  auto printed = std::make_shared<QByteArray>();
  connect(m_job, &ChildJob::printed, this, [printed](const QByteArray& line) { *printed += line; });
  connect(m_job, &ChildJob::progressed, this, [this](const JobProgress& now) {
    m_panel->progress()->setState({now.stage, now.unit, now.detail, now.done, now.total, now.rate, now.eta});
  });
  connect(m_job, &ChildJob::finished, this,
          [this, printed, job = m_job.data()](int exitCode) { end(exitCode, *printed, job->message()); });
}

void DataQuality::end(int exitCode, const QByteArray& printed, const QString& message) {
  m_job = nullptr;
  if (exitCode == kExitInterrupted) return m_panel->setFailure(m_measured ? QString() : tr("Cancelled."));
  if (exitCode != kExitDone) {
    m_model.clear();
    return m_panel->setFailure(tr("This cannot be measured: %1").arg(message));
  }
  const auto report = qualityReportOf(printed, *m_index, m_sizes);
  if (!report.ok()) return m_panel->setFailure(widgets::errorText(report.error()));
  m_measured = true;
  const widgets::QualityTokens& tokens = report.value()->tokens;
  if (!tokens.cutTag.isEmpty()) emit cutFound(tokens.cutTag, tokens.cut);  // before somebody asks for them
  m_panel->setReport(report.value());
}

void DataQuality::browseModel() {
  auto* dialog = new QFileDialog(m_page->window(), tr("Folder of the model"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  connect(dialog, &QFileDialog::fileSelected, m_panel, &QualityPanel::setModel);
  dialog->open();
}

}  // namespace roadtune::studio
