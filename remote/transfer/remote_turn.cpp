// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/remote_turn.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

namespace roadtune::remote {

namespace {

constexpr const char* kScript =
    R"(f={0}; command -v flock >/dev/null || {{ echo turn; exec cat >/dev/null; }}
mkdir -p "${{f%/*}}" && exec 9>>"$f.lock" || exit 1
while flock -n 9; [ $? = 1 ]; do find "$f" "$f.lock" -mmin -2 2>/dev/null | grep -q . || break; echo wait; sleep 1; done
touch "$f.lock"; echo turn; exec cat >/dev/null)";

}  // namespace

Result<RemoteProcess> waitForTurn(Session& session, const std::string& folder, ProgressSink* progress, double silence) {
  ROADTUNE_TRY(RemoteProcess holder,
               RemoteProcess::start(session, fmt::format(fmt::runtime(kScript), shellQuote(folder))));
  std::string said;
  double heard = monotonicSeconds();
  while (true) {
    ROADTUNE_TRY(const std::string more, holder.read(0.5));
    said += more;
    if (!more.empty()) heard = monotonicSeconds();
    if (said.find("turn") != std::string::npos) return holder;
    if (holder.ended())
      return failed("cannot write " + folder + ".lock: " + std::string(trim(holder.errors())), session.host().label(),
                    "check free space and permissions there");
    if (monotonicSeconds() - heard > silence)
      return failed(fmt::format("no word in {:.0f} s about {}.lock", silence, folder), session.host().label(),
                    "is the file system there still alive?");
    const std::string detail = session.host().label() + (said.empty() ? "" : ": for another program");
    if (progress && !progress->report({"waiting", 0, 0, "", detail})) return cancelled();
  }
}

}  // namespace roadtune::remote
