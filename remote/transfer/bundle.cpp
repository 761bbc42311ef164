// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/bundle.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/upload.h"
#include "remote/transfer/bring_torch.h"
#include "remote/transfer/loader_list.h"
#include "remote/transfer/remote_turn.h"
#include "remote/transfer/torch_there.h"

#include <fmt/format.h>

#include <sys/utsname.h>

namespace roadtune::remote {

namespace {

// Belongs to the node's own system, or to torch.
bool staysBehind(const std::string& name, const std::string& path) {
  for (const char* system :
       {"linux-vdso", "ld-linux", "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libresolv.so"})
    if (startsWith(name, system)) return true;
  return path.find("/torch/lib/") != std::string::npos || path.find("/nvidia/") != std::string::npos;
}

Result<std::vector<Bundle::File>> librariesOf(const fs::path& program) {
  ROADTUNE_TRY(const auto libraries, linkedLibraries(program));
  std::vector<Bundle::File> files;
  for (const auto& one : libraries) {
    if (one.path.empty()) return missing("a library of the trainer is not found: " + one.name, program.string());
    if (!staysBehind(one.name, one.path.string())) files.push_back({one.path, "lib/" + one.name});
  }
  return files;
}

struct Place {
  Deployed deployed;
  bool complete = false;
};

std::string markerOf(const Deployed& deployed) { return deployed.folder + "/COMPLETE"; }

Result<Place> placeOf(Session& session, const Bundle& bundle) {
  ROADTUNE_TRY(const std::string home, session.output("mkdir -p \"$HOME/.roadtune\" && cd \"$HOME/.roadtune\" && pwd"));
  Place place;
  place.deployed.home = std::string(trim(home));
  place.deployed.folder = place.deployed.home + "/bundles/" + bundle.id;
  place.deployed.loadPath = place.deployed.folder + "/lib";
  ROADTUNE_TRY(const std::string state,
               session.output("test -e " + shellQuote(markerOf(place.deployed)) + " && echo there || echo missing"));
  place.complete = trim(state) == "there";
  return place;
}

std::string startTest(const Deployed& deployed) {
  return fmt::format("LD_LIBRARY_PATH={} {} --version", shellQuote(deployed.loadPath), shellQuote(deployed.trainer()));
}

// The same without the half second of a processor that a start takes: the loader alone tells what it does not find.
std::string librariesTest(const Deployed& deployed) {
  return fmt::format("! LD_LIBRARY_PATH={} LD_TRACE_LOADED_OBJECTS=1 {} 2>&1 | grep -q 'not found'",
                     shellQuote(deployed.loadPath), shellQuote(deployed.trainer()));
}

// Before anything large is brought for it: the loader over there knows at once.
Status canRun(Session& session, const Deployed& deployed) {
  ROADTUNE_TRY(
      const std::string text,
      session.output(fmt::format("uname -m; LD_LIBRARY_PATH={} LD_TRACE_LOADED_OBJECTS=1 {} 2>&1 | grep 'version.*not "
                                 "found'; true",
                                 shellQuote(deployed.loadPath), shellQuote(deployed.trainer()))));
  const auto lines = split(text, '\n');
  utsname here{};
  ::uname(&here);
  if (lines.front() != here.machine)
    return missing(
        fmt::format("its processor is of another kind: {}; our programs are for {}", lines.front(), here.machine),
        session.host().label());
  if (lines.size() < 2 || lines[1].empty()) return {};
  return missing("the trainer does not start there: " + lines[1], session.host().label(),
                 "Debian 12, Ubuntu 22.04 or newer is needed");
}

}  // namespace

Result<Bundle> makeBundle() {
  Bundle bundle;
  for (const char* name : {"roadtune-agent", "roadtune-train"}) {
    ROADTUNE_TRY(const fs::path program, siblingProgram(name));
    bundle.files.push_back({program, std::string("bin/") + name});
  }
  ROADTUNE_TRY(std::vector<Bundle::File> libraries, librariesOf(bundle.files.back().source));
  bundle.files.insert(bundle.files.end(), libraries.begin(), libraries.end());
  // The GPU half, where it was built: the trainer looks for it in the bundle's lib.
  if (const fs::path plugin = pluginHere(); !plugin.empty())
    bundle.files.push_back({plugin, "lib/libroadtune_cuda.so"});
  Sha256 all;
  for (const auto& file : bundle.files) {
    ROADTUNE_TRY(const std::string hash, sha256OfFile(file.source));
    all.update(file.target + hash);
  }
  bundle.id = all.hex().substr(0, 16);
  return bundle;
}

Result<TorchThere> torchThere(Session& session) {
  ROADTUNE_TRY(const std::string home, session.output("echo \"$HOME/.roadtune\""));
  ROADTUNE_TRY(TorchThere there, findTorch(session, std::string(trim(home))));
  if (!there.folder.empty()) return there;
  // A trainer that an earlier run has brought may find it by itself. The loader says where; nothing runs for it.
  ROADTUNE_TRY(const std::string found,
               session.output("for t in \"$HOME\"/.roadtune/bundles/*/bin/roadtune-train; do "
                              "l=$(LD_LIBRARY_PATH=\"${t%/bin/*}/lib\" LD_TRACE_LOADED_OBJECTS=1 \"$t\" 2>&1); "
                              "case $l in *'not found'*) continue;; esac; "
                              "l=$(echo \"$l\" | sed -n 's|.* => \\(/.*\\)/libtorch_cpu[.]so .*|\\1|p'); "
                              "[ -n \"$l\" ] && echo \"$l\" && break; done; true"));
  there.folder = std::string(trim(found));
  there.whole = !there.folder.empty();
  return there;
}

Result<Deployed> findDeployed(Session& session, const Bundle& bundle) {
  ROADTUNE_TRY(Place place, placeOf(session, bundle));
  if (!place.complete) return missing("our programs are not there yet", session.host().label());
  Deployed& deployed = place.deployed;
  if (session.output(librariesTest(deployed)).ok()) return std::move(deployed);
  ROADTUNE_TRY(const TorchThere torch, findTorch(session, deployed.home));
  if (torch.folder.empty()) return missing("torch is not there yet", session.host().label());
  deployed.loadPath += ":" + torch.folder;
  return std::move(deployed);
}

namespace {

// Whoever else starts a run there at the same moment brings the same files: they come once.
Status bringPrograms(Session& session, const Bundle& bundle, const Deployed& deployed, ProgressSink* progress) {
  ROADTUNE_TRY([[maybe_unused]] const RemoteProcess turn, waitForTurn(session, deployed.folder, progress));
  ROADTUNE_TRY(const Place now, placeOf(session, bundle));
  if (now.complete) return {};
  for (const auto& file : bundle.files)
    ROADTUNE_CHECK(uploadFile(session, file.source, deployed.folder + "/" + file.target, "755", progress));
  const auto marked = session.output("touch " + shellQuote(markerOf(deployed)));
  return marked.ok() ? Status() : Status(marked.error());
}

}  // namespace

Result<Deployed> deploy(Session& session, const Bundle& bundle, ProgressSink* progress) {
  ROADTUNE_TRY(Place place, placeOf(session, bundle));
  Deployed& deployed = place.deployed;
  if (!place.complete) ROADTUNE_CHECK(bringPrograms(session, bundle, deployed, progress));
  if (session.output(startTest(deployed)).ok()) return std::move(deployed);
  ROADTUNE_CHECK(canRun(session, deployed));
  ROADTUNE_TRY(const std::string torch, bringTorch(session, deployed.agent(), deployed.home, progress));
  deployed.loadPath += ":" + torch;
  const auto started = session.output(startTest(deployed));
  if (started.ok()) return std::move(deployed);
  return missing("the trainer does not start there: " + started.error().what, session.host().label(),
                 "Debian 12, Ubuntu 22.04 or newer is needed");
}

}  // namespace roadtune::remote
