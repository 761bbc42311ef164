// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/bring_torch.h"

#include "core/base/text.h"
#include "remote/ssh/shell_quote.h"
#include "remote/transfer/remote_turn.h"
#include "remote/transfer/torch_there.h"

#include <fmt/format.h>

namespace roadtune::remote {

namespace {

// Why it was not installed; empty when it is there now.
Result<std::string> tryToInstall(Session& session, const std::string& home, ProgressSink* progress) {
  ROADTUNE_TRY(std::string why, whyNotInstalled(session));
  if (!why.empty()) return why;
  const Status installed = installTorch(session, home, progress);
  if (installed.ok()) return std::string();
  if (installed.error().kind == ErrorKind::Cancelled) return installed.error();
  return installed.error().what;
}

Status copyFromHere(Session& session, const std::string& agent, const std::string& home, const TorchThere& before,
                    ProgressSink* progress) {
  ROADTUNE_TRY(const TorchParts parts, torchHere(before.cards));
  if (!before.folder.empty() && !parts.cards) return missing("the GPU half of torch is not here", "this machine");
  // What lies in its place and is no torch must not be taken for one while the copy is under way.
  if (const std::string own = ownTorch(home) + "/torch"; before.folder != own + "/lib") {
    ROADTUNE_TRY([[maybe_unused]] const auto gone, session.output("rm -f " + shellQuote(own + "/version.py")));
  }
  return copyTorch(session, agent, home, parts, progress);
}

Error notBrought(const Session& session, const std::string& pip, const Error& copy) {
  Error error = missing(fmt::format("torch {} is not on this machine and cannot be installed: {}; nor can it be copied "
                                    "from here: {}",
                                    kTorchVersion, pip, copy.what),
                        session.host().label(), copy.hint);
  if (error.hint.empty())
    error.hint = fmt::format("pip install torch=={} there, or set ROADTUNE_TORCH to its folder", kTorchVersion);
  return error;
}

}  // namespace

Result<std::string> bringTorch(Session& session, const std::string& agent, const std::string& home,
                               ProgressSink* progress) {
  ROADTUNE_TRY(TorchThere there, findTorch(session, home));
  if (there.whole) return there.folder;
  ROADTUNE_TRY([[maybe_unused]] const RemoteProcess turn, waitForTurn(session, ownTorch(home), progress));
  ROADTUNE_TRY(there, findTorch(session, home));  // the one before may have brought it
  if (there.whole) return there.folder;
  ROADTUNE_TRY(const std::string why, tryToInstall(session, home, progress));
  const Status copied = why.empty() ? Status() : copyFromHere(session, agent, home, there, progress);
  if (copied.ok()) return ownTorch(home) + "/torch/lib";
  if (copied.error().kind == ErrorKind::Cancelled) return copied.error();
  if (!there.folder.empty()) return there.folder;  // good for the processor at least
  return notBrought(session, why, copied.error());
}

}  // namespace roadtune::remote
