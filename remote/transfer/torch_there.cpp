// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/torch_there.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/ssh/remote_process.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/upload.h"
#include "remote/transfer/file_sender.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>

namespace roadtune::remote {

namespace {

constexpr double kLongestInstall = 3600;

// Ends with the channel: a machine does not go on installing for somebody who has left. Moved to its place when it is
// whole. The lock is touched as long as it works, for those who wait (remote_turn.h).
constexpr const char* kInstall =
    R"(exec 3<&0; own={0}; new=$own.pip$$
python3 -m pip install --quiet --no-compile --no-input --disable-pip-version-check --retries 1 --timeout 15 --target "$new" torch=={1} & p=$!
{{ cat <&3; kill $p; }} >/dev/null 2>&1 &
while kill -0 $p; do touch "$own.lock"; sleep 2; done >/dev/null 2>&1 &
wait $p; r=$?
[ $r = 0 ] && rm -rf "$own" && mv "$new" "$own"; r=$?
rm -rf "$new"; exit $r)";

// The bytes of file_sender.h under a name of their own.
class TorchProgress : public ProgressSink {
 public:
  explicit TorchProgress(ProgressSink* sink) : m_sink(sink) {}
  bool report(const Progress& progress) override {
    Progress told = progress;
    told.stage = "copying torch";
    return !m_sink || m_sink->report(told);
  }

 private:
  ProgressSink* m_sink;
};

std::map<std::string, std::uint64_t> sizesIn(const std::string& lines) {
  std::map<std::string, std::uint64_t> sizes;
  for (const auto& line : split(lines, '\n'))
    if (const auto space = line.find(" ./"); space != std::string::npos)
      sizes[line.substr(space + 3)] = std::strtoull(line.c_str(), nullptr, 10);
  return sizes;
}

}  // namespace

std::string ownTorch(const std::string& home) { return home + "/torch-" + kTorchVersion; }

Result<TorchThere> findTorch(Session& session, const std::string& home) {
  const bool plugin = !pluginHere().empty();
  ROADTUNE_TRY(
      const std::string text,
      session.output(fmt::format(
          "c=; for f in /dev/nvidiactl /proc/driver/nvidia/version /dev/dxg; do [ -e $f ] && c=cards; done; "
          "echo \"cards $c\"; for d in \"$ROADTUNE_TORCH\" {} $(python3 -c 'import importlib.util as u, os; "
          "s = u.find_spec(\"torch\"); print(os.path.dirname(s.origin) if s else \"\")' 2>/dev/null); do "
          "[ -e \"$d/lib/libtorch_cpu.so\" ] && grep -q '{}' \"$d/version.py\" || continue; "
          "[ -n \"$c\" ] && [ ! -e \"$d/lib/libtorch_cuda.so\" ] && echo \"half $d/lib\" || echo \"whole $d/lib\"; "
          "done; true",
          shellQuote(ownTorch(home) + "/torch"), kTorchVersion)));
  TorchThere there;
  for (const auto& line : split(text, '\n')) {
    if (line == "cards cards") there.cards = plugin;
    const bool whole = startsWith(line, "whole ") || (startsWith(line, "half ") && !plugin);
    if (there.whole || (!whole && (!startsWith(line, "half ") || !there.folder.empty()))) continue;
    there.folder = line.substr(line.find(' ') + 1);
    there.whole = whole;
  }
  return there;
}

// pip itself is asked, as it alone knows its index, proxies and certificates.
Result<std::string> whyNotInstalled(Session& session) {
  ROADTUNE_TRY(const std::string why,
               session.output(fmt::format(
                   "said=$(timeout 6 python3 -m pip index versions torch --retries 0 --timeout 3 2>&1); "
                   "case \"$? $said\" in '127 '*|*'No module named pip'*) echo 'there is no pip';; "
                   "*) echo \"$said\" | grep -qwF {0} || echo 'its pip finds no torch {0}, or no index at all';; esac",
                   kTorchVersion)));
  return std::string(trim(why));
}

Status installTorch(Session& session, const std::string& home, ProgressSink* progress) {
  const std::string& host = session.host().label();
  const double began = monotonicSeconds();
  ROADTUNE_TRY(
      RemoteProcess pip,
      RemoteProcess::start(session, fmt::format(fmt::runtime(kInstall), shellQuote(ownTorch(home)), kTorchVersion)));
  while (!pip.ended()) {
    ROADTUNE_TRY([[maybe_unused]] const std::string said, pip.read(0.2));
    if (progress && !progress->report({"installing torch", 0, 1, "steps", host})) return cancelled();
    if (monotonicSeconds() - began > kLongestInstall) return failed("pip does not end", host);
  }
  if (pip.exitCode() == 0) return {};
  const std::string_view said = trim(pip.errors());
  const auto line = said.rfind('\n');
  return failed("pip: " + std::string(said.substr(line == std::string_view::npos ? 0 : line + 1)), host);
}

std::string TorchGap::text() const {
  return fmt::format("{} are to come, {} are free there", formatBytes(static_cast<double>(bytes)),
                     formatBytes(static_cast<double>(free)));
}

Result<TorchGap> torchGap(Session& session, const std::string& home, const TorchParts& parts) {
  ROADTUNE_TRY(
      const std::string text,
      session.output(fmt::format("mkdir -p {0} && df -Pk {0} | awk 'NR == 2 {{ print $4 }}'; cd {1} 2>/dev/null "
                                 "&& find . -type f -exec stat -c '%s %n' {{}} +; true",
                                 shellQuote(home), shellQuote(ownTorch(home)))));
  const auto sizes = sizesIn(text);
  TorchGap gap{.files = {}, .bytes = 0, .free = std::strtoull(text.c_str(), nullptr, 10) * 1024};
  for (const auto& file : parts.files) {
    // What has its name was proved by its hash before it got it.
    if (const auto there = sizes.find(file.target); there != sizes.end() && there->second == file.bytes) continue;
    gap.files.push_back(file);
    const auto begun = sizes.find(partName(file.target));
    gap.bytes += file.bytes - std::min(file.bytes, begun == sizes.end() ? 0 : begun->second);
  }
  return gap;
}

Status copyTorch(Session& session, const std::string& agent, const std::string& home, const TorchParts& parts,
                 ProgressSink* progress) {
  const std::string own = ownTorch(home), version = own + "/torch/version.py";
  ROADTUNE_TRY(const TorchGap gap, torchGap(session, home, parts));
  if (!gap.fits())
    return failed(fmt::format("the disk is too small for {}: {}", std::string("torch ") + kTorchVersion, gap.text()),
                  session.host().label(), "free space there, or move the home folder to a larger disk");
  std::vector<FileToSend> files;
  for (const auto& file : gap.files) files.push_back({file.source, own + "/" + file.target, file.bytes});
  TorchProgress told(progress);
  ROADTUNE_CHECK(sendFiles(session, agent, files, &told));
  ROADTUNE_TRY(
      const CommandResult sealed,
      session.run(fmt::format("cat > {0}.new && mv -f {0}.new {0}", shellQuote(version)), {.input = parts.version}));
  if (sealed.exitCode == 0) return {};
  return failed("cannot write " + version + ": " + std::string(trim(sealed.err)), session.host().label(),
                "check free space and permissions there");
}

}  // namespace roadtune::remote
