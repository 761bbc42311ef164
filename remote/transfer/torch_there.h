// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "remote/ssh/session.h"
#include "remote/transfer/torch_here.h"

#include <string>

namespace roadtune::remote {

// Torch of the right version on another machine: below ROADTUNE_TORCH, where we have put it, or where its Python looks.
struct TorchThere {
  std::string folder;  // of its libraries; empty when there is none
  bool cards = false;  // the machine has graphics cards
  bool whole = false;  // what was found has all that our programs can use there: its GPU half too, if there are cards
};

// `home`: ~/.roadtune over there, absolute.
Result<TorchThere> findTorch(Session& session, const std::string& home);

// Where torch goes that we bring.
std::string ownTorch(const std::string& home);

// Why the machine cannot install torch by itself; empty when it can. Takes a second, where nothing answers six.
Result<std::string> whyNotInstalled(Session& session);

// Lets the machine install it with its pip.
Status installTorch(Session& session, const std::string& home, ProgressSink* progress);

// What of the parts is not there yet, and whether it fits.
struct TorchGap {
  std::vector<TorchParts::File> files;
  std::uint64_t bytes = 0, free = 0;                          // to be copied; on the disk over there
  bool fits() const { return bytes + (100u << 20) <= free; }  // a run wants to write as well
  std::string text() const;                                   // "458 MB are to come, 87 MB are free there"
};
Result<TorchGap> torchGap(Session& session, const std::string& home, const TorchParts& parts);

// Copies what is missing, torch/version.py last: without it nobody takes a copy that was cut for torch, and the next
// one goes on with the rest. `agent` is our program over there. Progress counts all bytes in the stage "copying torch".
Status copyTorch(Session& session, const std::string& agent, const std::string& home, const TorchParts& parts,
                 ProgressSink* progress);

}  // namespace roadtune::remote
