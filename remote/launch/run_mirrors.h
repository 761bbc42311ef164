// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/launch/host_access.h"
#include "remote/transfer/mirror.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace roadtune::remote {

// While this object lives, the folder of a run on other machines is kept up to date here. For a run of this machine it
// does nothing. One process mirrors a run at a time; a second one waits for its place and reads the same files.
class RunMirrors {
 public:
  // A machine whose link has trouble.
  struct Trouble {
    std::string machine, error;
    double heard = 0;  // wall time at which it was heard of last; 0: never
  };

  static Result<RunMirrors> open(const std::filesystem::path& run, const HostAccess& access);

  // The first trouble any of the links has now; empty when all is well.
  std::string trouble() const;
  std::vector<Trouble> troubles() const;
  std::vector<std::string> unreached() const;  // machines whose link has trouble
  // What came of an agent that could not write its goodbye, with its machine; empty for none.
  std::string lost() const;

 private:
  std::vector<std::unique_ptr<Mirror>> m_mirrors;
  std::vector<std::string> m_addresses;  // of each
};

}  // namespace roadtune::remote
