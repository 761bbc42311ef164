// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/loss_ledger.h"

#include "core/base/json_text.h"
#include "core/protocol/event.h"

#include <nlohmann/json.hpp>

namespace roadtune::engine {

using nlohmann::json;

LossLedger::LossLedger(const protocol::RunLayout& layout, int rank, std::int64_t startStep)
    : m_path(layout.rankLedger(rank)), m_startStep(startStep) {}

Status LossLedger::open() {
  ROADTUNE_CHECK(makeFolders(m_path.parent_path()));
  ROADTUNE_TRY(m_file, AppendFile::open(m_path));
  if (m_file->size() == 0) return {};
  // The newline ends a line that a killed attempt left half written.
  return m_file->append("\n" + json{{"resumed_from", m_startStep}}.dump() + "\n");
}

Status LossLedger::append(std::int64_t step, double epoch, const std::vector<SampleLoss>& losses) {
  if (!m_file) ROADTUNE_CHECK(open());
  std::string lines;
  for (const auto& one : losses) {
    const json line = {{"step", step},
                       {"epoch", epoch},
                       {"sample", one.sample},
                       {"loss", protocol::number(one.loss)},
                       {"tokens", one.tokens}};
    lines += jsonLine(line) + "\n";
  }
  return lines.empty() ? Status() : m_file->append(lines);
}

}  // namespace roadtune::engine
