// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/mirror_starter.h"

#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/run_layout.h"
#include "remote/ssh/shell_quote.h"

namespace roadtune::remote {

namespace {

constexpr double kStartLimit = 20;  // it goes into the background at once

Status start(const fs::path& run) {
  ROADTUNE_TRY(const fs::path program, siblingProgram("roadtune"));
  ROADTUNE_TRY(
      const CommandOutput output,
      runCommand({.command = {program.string(), "mirror", run.string(), "--follow", "--background"}}, kStartLimit));
  if (output.status.ok()) return {};
  return failed(output.err.empty() ? output.status.text() : std::string(trim(output.err)), "roadtune mirror");
}

}  // namespace

void startMirror(const fs::path& run, const config::RunConfig& config) {
  if (!config.has("mirror_checkpoints_to")) return;
  const Status started = start(run);
  if (started.ok()) return;
  const auto events = protocol::EventWriter::open(protocol::RunLayout(run).mirrorEvents(), 0);
  if (events.ok())
    events.value()->write("error", 0,
                          {{"message", "checkpoints are not copied away: " + started.error().text()},
                           {"where", "mirror_checkpoints_to"},
                           {"hint", "roadtune mirror " + shellQuote(run.string()) + " --follow"}});
}

}  // namespace roadtune::remote
