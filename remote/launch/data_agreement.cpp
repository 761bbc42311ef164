// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/data_agreement.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/launch/in_parallel.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <cstdlib>

namespace roadtune::remote {

namespace {

// Prints "hash files bytes" or "absent". sha256sum and find are wherever sshd is.
constexpr const char* kScript = R"(p={}; if [ ! -e "$p" ]; then echo absent; else {{
w="$p"; if [ -d "$p" ]; then cd "$p"; w=.; fi
list() {{ find "$w" -type f "$@"; }}
all=$(list -printf '%f %s\n' | LC_ALL=C sort)
ends=$(list -printf '%s %p\n' | LC_ALL=C sort -rn | head -n 32 | while read -r s f; do {{ head -c 65536 "$f"; tail -c 65536 "$f"; }} | sha256sum; done)
printf '%s\n%s\n' "$all" "$ends" | sha256sum | cut -c1-16 | tr '\n' ' '
printf '%s\n' "$all" | awk '{{ n++; b += $NF }} END {{ printf "%d %.0f\n", n, b }}'
}}; fi; )";

Result<std::map<std::string, Fingerprint>> ask(const std::string& host, const std::vector<std::string>& paths,
                                               const HostAccess& access) {
  ROADTUNE_TRY(Session session, access.connect(host));
  std::map<std::string, Fingerprint> found;
  for (const auto& path : paths) {
    ROADTUNE_TRY(const std::string text,
                 session.output(fmt::format(fmt::runtime(kScript), shellQuote(path)), {.timeoutSeconds = 60}));
    const auto words = split(std::string(trim(text)), ' ');
    Fingerprint& one = found[path];
    if (words.size() != 3) continue;
    one = {true, words[0], std::strtoull(words[1].c_str(), nullptr, 10), std::strtoull(words[2].c_str(), nullptr, 10)};
  }
  return found;
}

}  // namespace

Fingerprints fingerprintsOn(const std::vector<std::string>& hosts, const std::vector<std::string>& paths,
                            const HostAccess& access) {
  std::vector<Result<std::map<std::string, Fingerprint>>> answers(hosts.size(), failed("not asked"));
  inParallel(hosts.size(), [&](std::size_t i) { answers[i] = ask(hosts[i], paths, access); });
  Fingerprints all;
  for (std::size_t i = 0; i < hosts.size(); ++i)
    if (answers[i].ok()) all[hosts[i]] = answers[i].value();
  return all;
}

std::vector<Check> judgeData(const Fingerprints& fingerprints, const std::vector<std::string>& paths) {
  std::vector<Check> checks;
  for (const auto& path : paths) {
    std::vector<std::string> absent;
    std::map<std::string, std::vector<std::string>> hostsByHash;
    Fingerprint any;
    for (const auto& [host, found] : fingerprints) {
      const auto at = found.find(path);
      if (at == found.end() || !at->second.there) {
        absent.push_back(host);
        continue;
      }
      any = at->second;
      hostsByHash[at->second.hash].push_back(host);
    }
    Check check{"data " + path,
                Verdict::Fine,
                counted(any.files, "file") + ", " + formatBytes(static_cast<double>(any.bytes)),
                {}};
    if (!absent.empty()) {
      check.verdict = Verdict::Bad;
      check.value = "is not on " + join(absent, ", ");
      check.fix = "`roadtune fleet sync` copies it there from here";
      if (any.there) check.fix += ", " + formatBytes(static_cast<double>(any.bytes)) + " each";
      check.fix += "; or use a shared file system";
    } else if (hostsByHash.size() > 1) {
      std::vector<std::string> words;
      for (const auto& [hash, hosts] : hostsByHash) words.push_back(hash.substr(0, 8) + " on " + join(hosts, ", "));
      check.verdict = Verdict::Bad;
      check.value = "differs: " + join(words, "; ");
      check.fix = "`roadtune fleet sync` makes it what it is here; ranks would not see the same";
    } else {
      check.value += ", the same everywhere";
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace roadtune::remote
