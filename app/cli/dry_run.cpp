// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dry_run.h"

#include "core/base/exit_code.h"
#include "core/base/json_text.h"
#include "core/base/progress.h"
#include "core/runs/proof_words.h"
#include "remote/launch/dry_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace roadtune::cli {

namespace {

nlohmann::json jsonOf(const runs::ProofInfo& proof) {
  nlohmann::json json{{"proof", proof.name}, {"ok", proof.ok}};
  for (const auto& [key, value] : proof.numbers)
    if (key != "ok")
      json[key] = std::trunc(value) == value ? nlohmann::json(std::llround(value)) : nlohmann::json(value);
  if (!proof.sample.empty()) json["sample"] = proof.sample;
  return json;
}

void print(const runs::ProofInfo& proof, ScreenStyle style) {
  if (style == ScreenStyle::Json) {
    fmt::print("{}\n", jsonLine(jsonOf(proof)));
  } else {
    const auto words = runs::wordsOf(proof);
    fmt::print("{} {:<16} {}\n", proof.ok ? "✓" : "✗", words.title, runs::sentence(words));
  }
  std::fflush(stdout);
}

}  // namespace

Result<int> dryRunToTheEnd(const remote::LaunchPlan& plan, ScreenStyle style, const remote::Prompts& prompts) {
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(prompts));
  const auto progress = makeProgressSink(progressStyle(style), [] { return Interrupt::requested(); });
  RunScreen screen(style);
  std::size_t shown = 0;
  const auto proofs = remote::dryRun(plan, access, progress.get(), [&](const runs::RunStore& store) {
    if (shown < store.proofs().size()) screen.endLine();
    for (; shown < store.proofs().size(); ++shown) print(store.proofs()[shown], style);
    screen.show(store);
    return !Interrupt::requested();
  });
  screen.endLine();
  if (!proofs.ok()) return proofs.error();
  if (style != ScreenStyle::Json)
    fmt::print("The run will work on {}.\n", plan.hosts.empty() ? "this machine" : "these machines");
  return kExitDone;
}

}  // namespace roadtune::cli
