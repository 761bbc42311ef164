// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/reporter.h"

#include "core/base/clock.h"
#include "core/protocol/event.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace roadtune::engine {

using nlohmann::json;
using protocol::number;

Result<std::unique_ptr<Reporter>> Reporter::open(const protocol::RunLayout& layout,
                                                 const RankEnvironment& environment) {
  ROADTUNE_TRY(auto events, protocol::EventWriter::open(layout.rankEvents(environment.rank), environment.rank));
  return std::unique_ptr<Reporter>(new Reporter(std::move(events), environment.leads()));
}

Status Reporter::startTensorboard(const protocol::RunLayout& layout) {
  ROADTUNE_TRY(m_tensorboard, runs::TensorboardWriter::open(layout.tensorboard(), wallSeconds()));
  return {};
}

void Reporter::print(const std::string& line) const {
  if (!m_leads) return;
  std::fputs((line + "\n").c_str(), stdout);  // not fmt::print: a full disk must not throw
  std::fflush(stdout);
}

void Reporter::event(std::string kind, json body) { m_events->write(std::move(kind), m_step, std::move(body)); }

void Reporter::phase(std::string_view name) {
  event("phase", {{"name", name}});
  m_progressTold = monotonicSeconds();
}

void Reporter::progress(std::string_view name, std::int64_t done, std::int64_t total) {
  const double now = monotonicSeconds();
  if (now - m_progressTold < m_progressEvery) return;
  m_progressTold = now;
  event("progress", {{"name", name}, {"done", done}, {"total", total}});
}

void Reporter::warning(const Error& error) {
  event("warning", {{"message", error.what}, {"where", error.where}, {"hint", error.hint}});
  std::fputs(("warning: " + error.text() + "\n").c_str(), stderr);
}

void Reporter::error(const Error& error) {
  event("error", {{"message", error.what}, {"where", error.where}, {"hint", error.hint}});
}

namespace {

json bodyOf(const StepResult& r) {
  const double perSecond = r.seconds > 0 ? 1.0 / r.seconds : 0.0;
  const auto& a = r.anatomy;
  json body = {{"lr", r.rate},
               {"grad_norm", number(r.gradientNorms.all)},
               {"samples", r.samples},
               {"tokens", r.tokens},
               {"target_tokens", r.targets},
               {"step_s", r.seconds},
               {"samples_per_s", static_cast<double>(r.samples) * perSecond},
               {"tokens_per_s", static_cast<double>(r.tokens) * perSecond},
               {"epoch", r.epoch},
               {"mem_bytes", residentBytes()},
               {"tensor_peak_bytes", r.peakBytes},
               {"anatomy",
                {{"wait", a.wait},
                 {"read", a.read},
                 {"decode", a.decode},
                 {"tokenise", a.tokenise},
                 {"copy", a.copy},
                 {"forward", a.forward},
                 {"backward", a.backward},
                 {"comm", a.comm},
                 {"optimizer", a.optimizer},
                 {"other", a.other}}}};
  if (r.targets > 0) body["loss"] = number(r.loss);  // without anything to learn there is none
  constexpr std::array kTowers = {"grad_norm_vision_tower", "grad_norm_projector", "grad_norm_language_model"};
  for (std::size_t i = 0; i < kTowers.size(); ++i)
    if (r.gradientNorms.parts[i] != 0) body[kTowers[i]] = number(r.gradientNorms.parts[i]);
  if (r.plannedBytes > 0) body["tensor_plan_bytes"] = r.plannedBytes;
  if (r.flops > 0) body["tflops_per_s"] = r.flops * perSecond / 1e12;
  if (r.flops > 0 && r.peakFlops > 0) body["mfu"] = 100 * r.flops * perSecond / r.peakFlops;
  return body;
}

}  // namespace

void Reporter::stepDone(const StepResult& r, std::int64_t totalSteps) {
  json body = bodyOf(r);
  body["total_steps"] = totalSteps;
  event("step", std::move(body));
}

void Reporter::scalars(const Numbers& numbers) {
  if (!m_tensorboard) return;
  std::vector<std::pair<std::string, float>> values;
  for (const auto& [name, value] : numbers) values.emplace_back(name, static_cast<float>(value));
  const auto status = m_tensorboard->add(wallSeconds(), m_step, values);
  if (!status.ok() && !m_tensorboardFailed) warning(status.error());
  m_tensorboardFailed = !status.ok();
}

void Reporter::finish() { m_events->flush(); }

std::uint64_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace roadtune::engine
