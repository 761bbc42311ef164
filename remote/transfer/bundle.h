// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "remote/ssh/session.h"
#include "remote/transfer/torch_there.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::remote {

// What a node needs of ours: agent, trainer, and the small libraries the trainer loads. The C library and torch are
// not part of it: the one belongs to the system, the other is looked for over there, else installed, else copied.
struct Bundle {
  struct File {
    std::filesystem::path source;
    std::string target;  // inside the bundle: "bin/roadtune-agent", "lib/libfmt.so.9"
  };
  std::vector<File> files;
  std::string id;  // from the content of every file; names the folder on the node
};

// Of the programs that lie beside this one.
Result<Bundle> makeBundle();

// A bundle on a node, ready to run.
struct Deployed {
  std::string folder;    // absolute: ~/.roadtune/bundles/<id>
  std::string home;      // absolute: ~/.roadtune
  std::string loadPath;  // LD_LIBRARY_PATH for its programs: the bundle's lib, and torch's when that is elsewhere
  std::string agent() const { return folder + "/bin/roadtune-agent"; }
  std::string trainer() const { return folder + "/bin/roadtune-train"; }
};

// What deploy() has brought there before; an error of the kind Missing says what is not there. Copies nothing.
Result<Deployed> findDeployed(Session& session, const Bundle& bundle);

// Torch of the right version on a machine; where none is found, or no whole one, the first run looks for it again and
// brings it.
Result<TorchThere> torchThere(Session& session);

// Copies what is missing, finds torch or brings it, and proves that the trainer starts.
Result<Deployed> deploy(Session& session, const Bundle& bundle, ProgressSink* progress = nullptr);

}  // namespace roadtune::remote
