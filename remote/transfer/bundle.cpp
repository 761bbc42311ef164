// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/bundle.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/upload.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::remote {

namespace {

// Belongs to the node's own system, or to torch.
bool staysBehind(const std::string& name, const std::string& path) {
  for (const char* system :
       {"linux-vdso", "ld-linux", "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libresolv.so"})
    if (startsWith(name, system)) return true;
  return path.find("/torch/lib/") != std::string::npos || path.find("/nvidia/") != std::string::npos;
}

// Lines of ldd: "\tlibfmt.so.9 => /usr/lib/libfmt.so.9 (0x...)".
Result<std::vector<Bundle::File>> librariesOf(const fs::path& program) {
  ROADTUNE_TRY(const CommandOutput listed, runCommand({.command = {"ldd", program.string()}}, 60));
  if (!listed.status.ok()) return failed("ldd cannot list its libraries", program.string());
  std::vector<Bundle::File> files;
  for (const auto& line : split(listed.out, '\n')) {
    const auto words = split(std::string(trim(line)), ' ');
    if (words.size() < 3 || words[1] != "=>") continue;
    if (words[2] == "not") return missing("a library of the trainer is not found: " + words[0], program.string());
    if (!staysBehind(words[0], words[2])) files.push_back({words[2], "lib/" + words[0]});
  }
  return files;
}

// Where torch's libraries are, or nothing when the trainer finds them by itself.
Result<std::string> findTorch(Session& session, const std::string& home) {
  const std::string own = home + "/torch-" + kTorchVersion;
  ROADTUNE_TRY(
      const std::string found,
      session.output(fmt::format(
          "for d in \"$ROADTUNE_TORCH\" {} $(python3 -c 'import importlib.util as u, os; s = u.find_spec(\"torch\"); "
          "print(os.path.dirname(s.origin) if s else \"\")' 2>/dev/null); do "
          "[ -e \"$d/lib/libtorch_cpu.so\" ] && grep -q '{}' \"$d/version.py\" && echo \"$d/lib\" && break; done; true",
          shellQuote(own + "/torch"), kTorchVersion)));
  return std::string(trim(found));
}

Status installTorch(Session& session, const std::string& home, ProgressSink* progress) {
  if (progress && !progress->report({"installing torch", 0, 1, "steps", session.host().label()})) return cancelled();
  const auto result = session.output(fmt::format("python3 -m pip install --quiet --no-compile --target {} torch=={}",
                                                 shellQuote(home + "/torch-" + kTorchVersion), kTorchVersion),
                                     {.timeoutSeconds = 3600});
  if (result.ok()) return {};
  return missing(
      fmt::format("torch {} is not on this machine and cannot be installed: {}", kTorchVersion, result.error().what),
      session.host().label(),
      fmt::format("pip install torch=={} there, or set ROADTUNE_TORCH to its folder", kTorchVersion));
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
  const fs::path plugin = bundle.files[1].source.parent_path().parent_path() / "lib/roadtune/libroadtune_cuda.so";
  std::error_code code;
  if (fs::exists(plugin, code)) bundle.files.push_back({plugin, "lib/libroadtune_cuda.so"});
  Sha256 all;
  for (const auto& file : bundle.files) {
    ROADTUNE_TRY(const std::string hash, sha256OfFile(file.source));
    all.update(file.target + hash);
  }
  bundle.id = all.hex().substr(0, 16);
  return bundle;
}

Result<std::string> torchThere(Session& session) {
  ROADTUNE_TRY(const std::string home, session.output("echo \"$HOME/.roadtune\""));
  ROADTUNE_TRY(std::string found, findTorch(session, std::string(trim(home))));
  if (!found.empty()) return found;
  // A trainer that an earlier run has brought may find it by itself. The loader says where; nothing runs for it.
  ROADTUNE_TRY(found, session.output("for t in \"$HOME\"/.roadtune/bundles/*/bin/roadtune-train; do "
                                     "l=$(LD_LIBRARY_PATH=\"${t%/bin/*}/lib\" LD_TRACE_LOADED_OBJECTS=1 \"$t\" 2>&1); "
                                     "case $l in *'not found'*) continue;; esac; "
                                     "l=$(echo \"$l\" | sed -n 's|.* => \\(/.*\\)/libtorch_cpu[.]so .*|\\1|p'); "
                                     "[ -n \"$l\" ] && echo \"$l\" && break; done; true"));
  return std::string(trim(found));
}

Result<Deployed> findDeployed(Session& session, const Bundle& bundle) {
  ROADTUNE_TRY(Place place, placeOf(session, bundle));
  if (!place.complete) return missing("our programs are not there yet", session.host().label());
  Deployed& deployed = place.deployed;
  if (session.output(librariesTest(deployed)).ok()) return std::move(deployed);
  ROADTUNE_TRY(const std::string torch, findTorch(session, deployed.home));
  if (torch.empty()) return missing("torch is not there yet", session.host().label());
  deployed.loadPath += ":" + torch;
  return std::move(deployed);
}

Result<Deployed> deploy(Session& session, const Bundle& bundle, ProgressSink* progress) {
  ROADTUNE_TRY(Place place, placeOf(session, bundle));
  Deployed& deployed = place.deployed;
  const std::string marker = markerOf(deployed);
  if (!place.complete) {
    for (const auto& file : bundle.files)
      ROADTUNE_CHECK(uploadFile(session, file.source, deployed.folder + "/" + file.target, "755", progress));
    ROADTUNE_TRY([[maybe_unused]] const auto marked, session.output("touch " + shellQuote(marker)));
  }
  if (session.output(startTest(deployed)).ok()) return std::move(deployed);
  ROADTUNE_TRY(std::string torch, findTorch(session, deployed.home));
  if (torch.empty()) {
    ROADTUNE_CHECK(installTorch(session, deployed.home, progress));
    torch = deployed.home + "/torch-" + kTorchVersion + "/torch/lib";
  }
  deployed.loadPath += ":" + torch;
  const auto started = session.output(startTest(deployed));
  if (started.ok()) return std::move(deployed);
  return missing("the trainer does not start there: " + started.error().what, session.host().label(),
                 "Debian 12, Ubuntu 22.04 or newer is needed");
}

}  // namespace roadtune::remote
