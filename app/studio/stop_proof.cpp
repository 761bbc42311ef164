// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/stop_proof.h"

#include "core/base/clock.h"
#include "widgets/models/run_list_model.h"

#include <algorithm>
#include <unistd.h>

namespace roadtune::studio {
namespace {

// The last word of a run is written a moment before its agents leave.
constexpr double kLeavingSeconds = 20;

std::vector<remote::NodeProof> proofsOf(const std::filesystem::path& run, const remote::Prompts& prompts) {
  const double deadline = monotonicSeconds() + kLeavingSeconds;
  while (remote::isAlive(run) && monotonicSeconds() < deadline) ::usleep(100'000);
  return remote::proveGone(run, prompts);
}

}  // namespace

StopProof::StopProof(HostQuestions* questions, QObject* parent) : QObject(parent), m_questions(questions) {}

void StopProof::expect(const QString& folder) { m_expected.insert(folder); }

void StopProof::look(const RunEntries& runs) {
  for (const runs::RunEntry& run : *runs) {
    const QString folder = widgets::pathText(run.path);
    if (run.state != runs::RunState::Running && m_expected.remove(folder)) proveNow(folder);
  }
}

void StopProof::proveNow(const QString& folder) {
  m_background.run(
      this,
      [run = std::filesystem::path(folder.toStdString()), prompts = m_questions->asking()] {
        return proofsOf(run, prompts);
      },
      [this, folder](const std::vector<remote::NodeProof>& proofs) {
        const bool gone = std::all_of(proofs.begin(), proofs.end(), [](const auto& proof) { return proof.gone; });
        emit proved(folder, gone, linesOf(proofs));
      });
}

QString StopProof::linesOf(const std::vector<remote::NodeProof>& proofs) {
  QStringList lines;
  for (const remote::NodeProof& proof : proofs) {
    const QString host = QString::fromStdString(proof.host);
    if (proof.gone) {
      lines << (!proof.gpuFree   ? tr("✓ %1: no process is left")
                : *proof.gpuFree ? tr("✓ %1: no process is left, GPU memory is back")
                                 : tr("✓ %1: no process is left, but the driver still counts one on a card"))
                   .arg(host);
      continue;
    }
    QStringList left;
    for (const std::string& process : proof.left) left << QString::fromStdString(process);
    lines << tr("✗ %1: %2").arg(host, left.join(QStringLiteral(", ")));
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace roadtune::studio
